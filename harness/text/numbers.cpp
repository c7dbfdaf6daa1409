#include "harness/text/numbers.hpp"

#include <cmath>
#include <cstdlib>

#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/json/json.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline text {

Json json_number(double value) {
  if (std::isfinite(value)) return results::rounded10(value);
  return results::text_of(value);
}

Json json_number(const std::optional<double>& value) {
  return value ? json_number(*value) : Json();
}

std::string interval_line(const variance::Estimate& estimate) {
  const std::string level = percent(estimate.level) + ", " + estimate.method;
  if (estimate.low && estimate.high) return interval_text(estimate) + "  " + level;
  if (estimate.high) return "at most " + short_text(*estimate.high) + "  " + level;
  return "no interval (" + estimate.method + ")";
}

std::string difference_unit(const std::string& unit) {
  return unit == "%" ? "pp" : unit;
}

std::string p_text(double p, double alpha) {
  constexpr int all_digits = 17;
  std::string out = short_text(p);
  for (int digits = 5; digits <= all_digits && (std::strtod(out.c_str(), nullptr) <= alpha) != (p <= alpha); ++digits)
    out = short_text(p, digits);
  return out;
}

std::string word_of(variance::Direction direction) {
  return direction == variance::Direction::lower ? "lower" : "higher";
}

std::string names_or_nothing(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : results::joined(names);
}

std::string paragraph(const std::string& text, std::size_t indent) {
  std::string out;
  for (const std::string& line : wrapped(text, terminal_width() - indent))
    out += std::string(indent, ' ') + line + "\n";
  return out;
}

}  // namespace retrial::harness::inline text
