#include "variance/samples/ties.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "variance/numbers/check.hpp"

namespace retrial::variance::inline samples {

double tie_tolerance(std::optional<double> resolution, std::span<const double> first, std::span<const double> second) {
  if (resolution) {
    require_positive("resolution", *resolution);
    return *resolution / 2.0;
  }
  double largest = 0.0;
  for (const double x : first) largest = std::max(largest, std::fabs(x));
  for (const double x : second) largest = std::max(largest, std::fabs(x));
  return 1e-12 * largest;
}

std::vector<std::size_t> tie_groups(std::span<const double> values, double tolerance) {
  std::vector<std::size_t> order(values.size()), group(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Plain pointer: the sort is most of a rank test, and checked indices a third of the sort.
  const double* const value = values.data();
  std::sort(order.begin(), order.end(),
            [value](std::size_t i, std::size_t j) { return value[i] != value[j] ? value[i] < value[j] : i < j; });
  for (std::size_t k = 1; k < order.size(); ++k) {
    const bool tied = values[order[k]] - values[order[k - 1]] <= tolerance;
    group[order[k]] = group[order[k - 1]] + (tied ? 0 : 1);
  }
  return group;
}

std::vector<std::int64_t> doubled_midranks(std::span<const double> values, double tolerance) {
  const auto group = tie_groups(values, tolerance);
  std::vector<std::int64_t> size(values.size()), rank(values.size()), result(values.size());
  for (const std::size_t g : group) ++size[g];
  std::int64_t below = 0;
  for (std::size_t g = 0; g < size.size(); ++g) {
    rank[g] = 2 * below + size[g] + 1;  // twice the mean of below + 1 .. below + size
    below += size[g];
  }
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = rank[group[i]];
  return result;
}

double tie_term(std::span<const std::int64_t> doubled_ranks) {
  std::vector<std::int64_t> sorted(doubled_ranks.begin(), doubled_ranks.end());
  std::sort(sorted.begin(), sorted.end());
  double sum = 0.0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    const double tied = static_cast<double>(end - i);
    sum += tied * tied * tied - tied;
    i = end;
  }
  return sum;
}

}  // namespace retrial::variance::inline samples
