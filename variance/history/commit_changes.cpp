#include "variance/history/commit_changes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/numbers/check.hpp"
#include "variance/samples/interpolated.hpp"

namespace retrial::variance::inline history {

std::vector<double> relative_changes(std::span<const double> values) {
  require_finite("values", values);
  std::vector<double> out;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double step = std::fabs(values[i] - values[i - 1]), from = std::fabs(values[i - 1]);
    out.push_back(step == 0.0 ? 0.0 : from == 0.0 ? std::numeric_limits<double>::infinity() : step / from);
  }
  return out;
}

ChangeThreshold change_threshold(std::span<const double> changes) {
  constexpr std::size_t enough = 30;
  constexpr double least = 0.002;
  if (changes.empty()) throw InvalidInput("changes", "none", "one or more");
  ChangeThreshold out{.q1 = *interpolated_quantile(changes, 0.25), .q3 = *interpolated_quantile(changes, 0.75)};
  out.raw = out.q3 + 3.0 * (out.q3 - out.q1);
  out.threshold = changes.size() < enough ? std::max(out.raw, least) : out.raw;
  return out;
}

}  // namespace retrial::variance::inline history
