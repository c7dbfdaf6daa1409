#include "variance/two_variants/rank_sum_law.hpp"

#include <algorithm>
#include <vector>

#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline two_variants {
namespace {

/// Labellings with U = u, u = 0 .. n m / 2; n <= m. Values may wrap below zero or over 2^64 on the way: every step
/// is exact modulo 2^64, and the result is smaller.
std::vector<std::uint64_t> lower_half(std::size_t n, std::size_t m) {
  std::vector<std::uint64_t> ways(n * m / 2 + 1);
  ways[0] = 1;
  std::uint64_t* const way = ways.data();
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = ways.size(); u-- > m + i;) way[u] -= way[u - (m + i)];
    for (std::size_t u = i; u < ways.size(); ++u) way[u] += way[u - i];
  }
  return ways;
}

void fill_at_most(std::size_t n, std::size_t m, std::vector<double>& at_most) {
  const auto half = lower_half(std::min(n, m), std::max(n, m));
  std::vector<std::uint64_t> sums(n * m + 1);
  std::uint64_t sum = 0;
  for (std::size_t u = 0; u < sums.size(); ++u) sums[u] = sum += half[std::min(u, n * m - u)];
  at_most.resize(sums.size());
  std::ranges::transform(sums, at_most.begin(),
                         [all = static_cast<double>(sum)](std::uint64_t s) { return static_cast<double>(s) / all; });
}

}  // namespace

bool rank_sum_law_counts(std::int64_t n, std::int64_t m) {
  return log_choose(n + m, n) < 43.6;  // log of 2^63 is 43.67
}

std::span<const double> rank_sum_at_most(std::int64_t n, std::int64_t m) {
  thread_local std::int64_t kept_n = -1, kept_m = -1;
  thread_local std::vector<double> at_most;
  if (n != kept_n || m != kept_m) {
    fill_at_most(static_cast<std::size_t>(n), static_cast<std::size_t>(m), at_most);
    kept_n = n, kept_m = m;
  }
  return at_most;
}

}  // namespace retrial::variance::inline two_variants
