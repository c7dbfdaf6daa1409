#include "variance/comparisons/least_p.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::variance::inline comparisons {
namespace {

constexpr double rounding = 1e-9;
constexpr double log_of_whole_numbers = 36.0;  // below 2^52 a double is a whole number

/// Differences of one size.
struct SizeGroup {
  double size = 0.0;
  std::int64_t plus = 0, all = 0;
};

struct Sizes {
  std::vector<SizeGroup> groups;
  std::int64_t count = 0;
};

Sizes sizes_of(std::span<const double> differences, double tolerance) {
  double largest = 0.0;
  for (const double d : differences) largest = std::max(largest, std::fabs(d));
  const double equal = std::max(tolerance, rounding * largest);
  std::vector<double> sorted(differences.begin(), differences.end());
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  Sizes sizes;
  double before = 0.0;
  for (const double d : sorted) {
    const double size = std::fabs(d);
    if (size <= equal) continue;
    if (sizes.groups.empty() || size - before > equal) sizes.groups.push_back({.size = size});
    before = size;
    sizes.groups.back().plus += d > 0.0 ? 1 : 0;
    ++sizes.groups.back().all;
    ++sizes.count;
  }
  return sizes;
}

LeastP exact_signs(const SizeGroup& only) {
  return {.less = binomial_at_most(only.plus, only.all, 0.5), .greater = binomial_at_least(only.plus, only.all, 0.5)};
}

/// P(sum <= the observed one) and P(sum >= it) under all signs: for each number of plus among the one size, the numbers
/// among the other size that keep the sum on that side.
LeastP exact_signs(const SizeGroup& one, const SizeGroup& other) {
  LeastP p;
  for (std::int64_t i = 0; i <= one.all; ++i) {
    const double weight = binomial_exactly(i, one.all, 0.5);
    const double balance = static_cast<double>(other.plus) + static_cast<double>(one.plus - i) * one.size / other.size;
    p.less += weight * binomial_at_most(static_cast<std::int64_t>(std::floor(balance + rounding)), other.all, 0.5);
    p.greater += weight * binomial_at_least(static_cast<std::int64_t>(std::ceil(balance - rounding)), other.all, 0.5);
  }
  return {.less = std::min(1.0, p.less), .greater = std::min(1.0, p.greater)};
}

/// P(X <= x) and P(X >= x) of the number X of high scores among n of the n + m labels, `high` of which are high.
LeastP exact_labels(std::int64_t x, std::int64_t high, std::int64_t n, std::int64_t m) {
  const double all = log_choose(n + m, n), scale = all < log_of_whole_numbers ? 0.0 : all;
  LeastP p;
  double total = 0.0;
  for (std::int64_t k = std::max<std::int64_t>(0, high - m); k <= std::min(high, n); ++k) {
    const double ways = std::exp(log_choose(high, k) + log_choose(n + m - high, n - k) - scale);
    const double weight = scale == 0.0 ? std::round(ways) : ways;
    total += weight;
    p.less += k <= x ? weight : 0.0;
    p.greater += k >= x ? weight : 0.0;
  }
  return {.less = p.less / total, .greater = p.greater / total};
}

}  // namespace

double least_sign_p(std::int64_t pairs) {
  require_at_least("pairs", pairs, 0);
  return std::ldexp(1.0, -static_cast<int>(std::min<std::int64_t>(pairs, 1'000)));
}

double least_label_p(std::int64_t n, std::int64_t m) {
  require_at_least("candidate runs", n, 1);
  require_at_least("baseline runs", m, 1);
  // Rounded where that is exact: 3 against 3 runs have 20 labelings, and 1 / 20 may equal alpha.
  const double all = log_choose(n + m, n);
  return all < log_of_whole_numbers ? 1.0 / std::round(std::exp(all)) : std::exp(-all);
}

std::int64_t pairs_to_decide(double level) {
  require_between("level", level, 0.0, 1.0);
  std::int64_t pairs = 1;
  while (least_sign_p(pairs) > level) ++pairs;
  return pairs;
}

std::int64_t runs_to_decide(double level) {
  require_between("level", level, 0.0, 1.0);
  std::int64_t runs = 1;
  while (least_label_p(runs, runs) > level) ++runs;
  return runs;
}

LeastP least_p_of_signs(std::span<const double> differences, double tolerance) {
  const Sizes sizes = sizes_of(differences, tolerance);
  if (sizes.groups.size() == differences.size()) return {.count = sizes.count};
  LeastP p{.less = least_sign_p(sizes.count), .greater = least_sign_p(sizes.count)};
  if (sizes.groups.empty()) p = {.less = 1.0, .greater = 1.0};
  if (sizes.groups.size() == 1) p = exact_signs(sizes.groups[0]);
  if (sizes.groups.size() == 2) p = exact_signs(sizes.groups[0], sizes.groups[1]);
  p.repeats = true;
  p.count = sizes.count;
  return p;
}

LeastP least_p_of_labels(std::span<const double> candidate, std::span<const double> baseline) {
  std::vector<double> pool(candidate.begin(), candidate.end());
  pool.insert(pool.end(), baseline.begin(), baseline.end());
  const auto groups = tie_groups(pool, tie_tolerance(std::nullopt, pool));
  const std::size_t values = groups.empty() ? 0 : *std::ranges::max_element(groups) + 1;
  const auto n = static_cast<std::int64_t>(candidate.size()), m = static_cast<std::int64_t>(baseline.size());
  if (values == pool.size()) return {.count = n + m};
  LeastP p{.less = least_label_p(n, m), .greater = least_label_p(n, m)};
  if (values <= 2) {
    const auto high_of = [&](auto from, auto to) { return static_cast<std::int64_t>(std::count(from, to, 1U)); };
    const auto split = groups.begin() + n;
    const std::int64_t of_candidate = high_of(groups.begin(), split);
    p = exact_labels(of_candidate, of_candidate + high_of(split, groups.end()), n, m);
  }
  p.repeats = true;
  p.count = n + m;
  return p;
}

}  // namespace retrial::variance::inline comparisons
