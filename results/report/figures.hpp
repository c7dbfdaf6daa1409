#pragma once

#include "results/report/report.hpp"

namespace retrial::report {

/// Draws every figure of the report twice, for a desk and for a phone, and puts both SVGs into it: the style sheet of
/// html() shows the one that fits.
void draw_figures(Report& report);

}  // namespace retrial::report
