#include "variance/numbers/summary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/numbers/check.hpp"
#include "variance/numbers/sum.hpp"

namespace retrial::variance::inline numbers {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  require_finite("values", values);
  std::vector<double> result(values.begin(), values.end());
  std::sort(result.begin(), result.end());
  return result;
}

void require_probability(double q) {
  if (!(q >= 0.0 && q <= 1.0)) throw InvalidInput("q", shortest(q), "0 to 1");
}

}  // namespace

std::optional<double> mean(std::span<const double> values) {
  require_finite("values", values);
  if (values.empty()) return std::nullopt;
  return pairwise_sum(values) / static_cast<double>(values.size());
}

std::optional<double> sample_variance(std::span<const double> values) {
  const auto both = moments(values);
  return both ? std::optional(both->variance) : std::nullopt;
}

std::optional<Moments> moments(std::span<const double> values) {
  const auto centre = mean(values);
  if (values.size() < 2) return std::nullopt;
  if (std::ranges::all_of(values, [&](double x) { return x == values.front(); })) return Moments{*centre, 0.0};
  std::vector<double> deviations(values.begin(), values.end()), squares(values.size());
  for (double& d : deviations) d -= *centre;
  std::ranges::transform(deviations, squares.begin(), [](double d) { return d * d; });
  const double n = static_cast<double>(values.size()), rest = pairwise_sum(deviations);
  return Moments{*centre, std::max(0.0, pairwise_sum(squares) - rest * rest / n) / (n - 1.0)};
}

std::optional<double> sd(std::span<const double> values) {
  const auto variance = sample_variance(values);
  return variance ? std::optional(std::sqrt(*variance)) : std::nullopt;
}

std::optional<double> median(std::span<const double> values) {
  require_finite("values", values);
  if (values.empty()) return std::nullopt;
  std::vector<double> order(values.begin(), values.end());
  const auto upper = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
  std::nth_element(order.begin(), upper, order.end());
  // Zeros of both signs are equal to the selection: + 0.0 gives the middle one the same bits in any order of insertion.
  const double middle = order.size() % 2 == 1 ? *upper : *std::max_element(order.begin(), upper) / 2.0 + *upper / 2.0;
  return middle + 0.0;
}

// The product q * n may round to either side of an integer, so the quotient decides.
std::size_t quantile_rank(double q, std::size_t n) {
  const double count = static_cast<double>(n);
  auto k = static_cast<std::size_t>(std::ceil(q * count));
  while (k > 1 && static_cast<double>(k - 1) / count >= q) --k;
  while (k < n && static_cast<double>(k) / count < q) ++k;
  return std::clamp<std::size_t>(k, 1, n);
}

std::optional<double> sample_quantile(std::span<const double> values, double q) {
  require_probability(q);
  const auto order = sorted(values);
  if (order.empty()) return std::nullopt;
  return order[quantile_rank(q, order.size()) - 1];
}

}  // namespace retrial::variance::inline numbers
