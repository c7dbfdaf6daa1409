#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/json.hpp"
#include "variance/design.hpp"
#include "variance/estimate.hpp"

/// Numbers, names and paragraphs as pages, reports and documents write them.
namespace retrial::harness {

/// Derived: 10 significant digits, null where there is none.
[[nodiscard]] Json derived(const std::optional<double>& value);
/// As stored; null where there is none or it is not finite.
[[nodiscard]] Json raw(const std::optional<double>& value);
/// 10 significant digits; not finite: the text "inf", "-inf", "NaN".
[[nodiscard]] Json json_number(double value);
[[nodiscard]] Json json_number(const std::optional<double>& value);

[[nodiscard]] std::string or_dash(const std::optional<double>& value);
/// "+1.669", "-0.5", "0".
[[nodiscard]] std::string signed_text(double value);
/// A share as "95 %", three significant digits.
[[nodiscard]] std::string percent(double share);
/// "[0.7513, 0.9987]", or "none".
[[nodiscard]] std::string interval_text(const variance::Estimate& estimate);
/// The interval with its level and method.
[[nodiscard]] std::string interval_line(const variance::Estimate& estimate);

/// "accuracy (%)".
[[nodiscard]] std::string with_unit(const std::string& metric, const std::string& unit);
/// The unit of a difference of two values: of percentages it is percentage points, "pp".
[[nodiscard]] std::string difference_unit(const std::string& unit);
/// "higher" or "lower".
[[nodiscard]] std::string word_of(variance::Direction direction);
/// "init, order"; "nothing".
[[nodiscard]] std::string names_or_nothing(const std::vector<std::string>& names);

/// Wrapped to the width of the terminal behind `indent` blanks, every line ended.
[[nodiscard]] std::string paragraph(const std::string& text, std::size_t indent = 0);
/// Each item as a paragraph of its own behind the title; an empty line first.
[[nodiscard]] std::string listed(const std::string& title, const std::vector<std::string>& items);

}  // namespace retrial::harness
