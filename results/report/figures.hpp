#pragma once

#include "results/report/report.hpp"

namespace retrial::report {

/// Draws every figure of the report and puts the SVG into it, in one run of gnuplot. Errors as run_gnuplot() and
/// clean_svg().
void draw_figures(Report& report);

}  // namespace retrial::report
