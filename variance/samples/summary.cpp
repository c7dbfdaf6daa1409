#include "variance/samples/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "variance/numbers/check.hpp"

namespace retrial::variance::inline samples {
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

namespace {

constexpr std::size_t block_size = 128;

double block_sum(std::span<const double> block) {
  double sum = 0.0;
  for (const double value : block) sum += value;
  return sum;
}

}  // namespace

double pairwise_sum(std::span<const double> values) {
  if (values.size() <= block_size) return block_sum(values);
  // A binary counter of subtrees: level i holds the sum of 2^i finished blocks while bit i of `done` is set.
  std::array<double, 64> subtree{};
  std::size_t done = 0;
  for (std::size_t at = 0; at < values.size(); at += block_size, ++done) {
    double sum = block_sum(values.subspan(at, std::min(block_size, values.size() - at)));
    std::size_t level = 0;
    for (; (done >> level & 1) != 0; ++level) sum = subtree[level] + sum;
    subtree[level] = sum;
  }
  bool any = false;
  double total = 0.0;
  for (std::size_t level = 0; done >> level != 0; ++level) {
    if ((done >> level & 1) == 0) continue;
    total = any ? subtree[level] + total : subtree[level];
    any = true;
  }
  return total;
}

void Neumaier::add(double term) {
  const double sum = sum_ + term;
  compensation_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
}

}  // namespace retrial::variance::inline samples
