#pragma once

#include "results/report/numbers.hpp"

namespace retrial::harness {

using report::axis_over, report::derived, report::interval_text, report::or_dash, report::raw, report::signed_text,
    report::vertical, report::with_unit;

}  // namespace retrial::harness
