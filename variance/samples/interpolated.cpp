#include "variance/samples/interpolated.hpp"

#include <algorithm>
#include <vector>

#include "variance/numbers/check.hpp"

namespace retrial::variance::inline samples {

std::optional<double> interpolated_quantile(std::span<const double> values, double q) {
  require_finite("values", values);
  if (!(q >= 0.0 && q <= 1.0)) throw InvalidInput("q", shortest(q), "0 to 1");
  if (values.empty()) return std::nullopt;
  std::vector<double> order(values.begin(), values.end());
  std::ranges::sort(order);
  const double at = q * static_cast<double>(order.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double above = order[std::min(below + 1, order.size() - 1)];
  return order[below] + (at - static_cast<double>(below)) * (above - order[below]);
}

}  // namespace retrial::variance::inline samples
