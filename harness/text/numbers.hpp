#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/report/drawing/numbers.hpp"
#include "variance/designs/design.hpp"
#include "variance/numbers/estimate.hpp"

/// Numbers, names and paragraphs as pages, reports and documents write them.
namespace retrial::harness::inline text {

using report::axis_over, report::derived, report::interval_text, report::or_dash, report::percent, report::raw,
    report::signed_text, report::vertical, report::with_unit;

/// 10 significant digits; not finite: the text "inf", "-inf", "NaN".
[[nodiscard]] Json json_number(double value);
[[nodiscard]] Json json_number(const std::optional<double>& value);

/// The interval with its level and method.
[[nodiscard]] std::string interval_line(const variance::Estimate& estimate);

/// The unit of a difference of two values: percentage points ("pp") for percentages.
[[nodiscard]] std::string difference_unit(const std::string& unit);
/// A p with as many digits as show on which side of `alpha` it is: .04 is never printed for .0400001.
[[nodiscard]] std::string p_text(double p, double alpha);
/// "higher" or "lower".
[[nodiscard]] std::string word_of(variance::Direction direction);
/// "init, order"; "nothing".
[[nodiscard]] std::string names_or_nothing(const std::vector<std::string>& names);

/// Wrapped to the width of the terminal, each line indented by `indent` blanks and ended with LF.
[[nodiscard]] std::string paragraph(const std::string& text, std::size_t indent = 0);

}  // namespace retrial::harness::inline text
