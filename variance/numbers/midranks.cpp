#include "variance/numbers/midranks.hpp"

#include <algorithm>

#include "variance/numbers/ties.hpp"

namespace retrial::variance::inline numbers {

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

}  // namespace retrial::variance::inline numbers
