#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/wins/theta.hpp"

namespace retrial::variance::inline ranks {
namespace {

constexpr std::int64_t max_exact_runs = 100;

struct Pool {
  std::int64_t n, m, doubled_u;
  std::vector<std::int64_t> groups;  ///< sizes of the tie groups, ascending by value
};

Pool pool_sizes(const PooledRuns& runs) {
  Pool pool{.n = static_cast<std::int64_t>(runs.candidate_runs()),
            .m = static_cast<std::int64_t>(runs.baseline_runs()),
            .doubled_u = runs.doubled_u(),
            .groups = runs.candidates};
  for (std::size_t g = 0; g < pool.groups.size(); ++g) pool.groups[g] += runs.baselines[g];
  return pool;
}

bool untied(const Pool& pool) {
  return static_cast<std::int64_t>(pool.groups.size()) == pool.n + pool.m;
}

/// Number of labelings of the whole pool for each 2U. A state is (labels given to the candidate, 2U so far). Only
/// states that are reachable and can still end with n labels are visited; without ties 2U is even.
class TiedLaw {
 public:
  explicit TiedLaw(const Pool& pool)
      : n_(pool.n),
        all_(pool.n + pool.m),
        unit_(untied(pool) ? 2 : 1),
        width_(2 / unit_ * pool.n * pool.m + 1),
        ways_(static_cast<std::size_t>((n_ + 1) * width_)) {
    at(0)[0] = 1.0;
    std::int64_t before = 0;
    for (const std::int64_t group : pool.groups) {
      add(group, before);
      before += group;
    }
  }
  /// P(2U <= u) and P(2U >= u).
  [[nodiscard]] double at_most(std::int64_t u) const { return sum(0, u / unit_) / sum(0, width_ - 1); }
  [[nodiscard]] double at_least(std::int64_t u) const { return sum(u / unit_, width_ - 1) / sum(0, width_ - 1); }
  /// P(2U = u), u = 0 .. 2 n m.
  [[nodiscard]] std::vector<double> shares() const {
    const double all = sum(0, width_ - 1);
    std::vector<double> out(static_cast<std::size_t>((width_ - 1) * unit_ + 1));
    for (std::int64_t u = 0; u < width_; ++u)
      out[static_cast<std::size_t>(u * unit_)] = ways_[static_cast<std::size_t>(n_ * width_ + u)] / all;
    return out;
  }

 private:
  double* at(std::int64_t taken) { return ways_.data() + taken * width_; }
  [[nodiscard]] double sum(std::int64_t from, std::int64_t to) const {
    double total = 0.0;
    for (std::int64_t u = from; u <= to; ++u) total += ways_[static_cast<std::size_t>(n_ * width_ + u)];
    return total;
  }
  /// `before` items are below this group, `taken` of them the candidate's: j items of the group win 2j (before - taken)
  /// halves against the items below and j (group - j) within the group.
  void add(std::int64_t group, std::int64_t before) {
    std::vector<double> choose(static_cast<std::size_t>(group) + 1, 1.0);
    for (std::int64_t j = 1; j <= group; ++j)
      choose[static_cast<std::size_t>(j)] = std::round(choose[static_cast<std::size_t>(j - 1)] *
                                                       static_cast<double>(group - j + 1) / static_cast<double>(j));
    // From many labels to few, so that a state is read before it is overwritten.
    for (std::int64_t taken = std::min(n_, before); taken >= 0; --taken) {
      const std::int64_t wins = 2 * taken * (before - taken) / unit_ + 1;  // 2U of `taken` labels is at most that
      for (std::int64_t j = std::min(group, n_ - taken);
           j >= std::max<std::int64_t>(1, min_labels(group, before, taken)); --j) {
        const std::int64_t gain = j * (2 * (before - taken) + group - j) / unit_;
        const double weight = choose[static_cast<std::size_t>(j)];
        const double* const from = at(taken);
        double* const to = at(taken + j) + gain;
        const std::int64_t end = std::min(wins, width_ - gain);
        for (std::int64_t u = 0; u < end; ++u) to[u] += weight * from[u];
      }
    }
  }
  /// Min labels that this group must take, since the groups above it cannot hold the rest.
  [[nodiscard]] std::int64_t min_labels(std::int64_t group, std::int64_t before, std::int64_t taken) const {
    return n_ - taken - (all_ - before - group);
  }

  std::int64_t n_, all_, unit_, width_;
  std::vector<double> ways_;
};

struct Tails {
  double less, greater;
};

Tails exact_tails(const Pool& pool) {
  if (untied(pool) && rank_sum_law_counts(pool.n, pool.m)) {
    const auto at_most = rank_sum_at_most(pool.n, pool.m);
    const auto u = static_cast<std::size_t>(pool.doubled_u / 2);
    return {at_most[u], at_most[at_most.size() - 1 - u]};
  }
  const TiedLaw law(pool);
  return {law.at_most(pool.doubled_u), law.at_least(pool.doubled_u)};
}

struct Normal {
  double mean, sd;
};

Normal normal_law(const Pool& pool) {
  const double n = static_cast<double>(pool.n), m = static_cast<double>(pool.m), all = n + m;
  double ties = 0.0;
  for (const std::int64_t group : pool.groups) {
    const double t = static_cast<double>(group);
    ties += t * t * t - t;
  }
  return {n * m / 2.0, std::sqrt(n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0))))};
}

TestResult by_normal(const Pool& pool) {
  const Normal law = normal_law(pool);
  const double u = static_cast<double>(pool.doubled_u) / 2.0;
  TestResult result{.statistic = u, .method = "normal approximation with tie and continuity correction"};
  if (law.sd == 0.0) return result;
  result.p_less = normal_cdf((u - law.mean + 0.5) / law.sd);
  result.p_greater = normal_cdf(-(u - law.mean - 0.5) / law.sd);
  result.p_two = doubled_tail(result.p_less, result.p_greater);
  return result;
}

}  // namespace

TestResult mann_whitney_normal(std::span<const double> candidate, std::span<const double> baseline,
                               std::optional<double> resolution) {
  return by_normal(pool_sizes(pooled_runs(candidate, baseline, resolution)));
}

MannWhitney mann_whitney(std::span<const double> candidate, std::span<const double> baseline,
                         std::optional<double> resolution) {
  return mann_whitney(pooled_runs(candidate, baseline, resolution));
}

MannWhitney mann_whitney(const PooledRuns& runs) {
  const Pool pool = pool_sizes(runs);
  const double labellings = std::exp(log_choose(pool.n + pool.m, pool.n));
  MannWhitney result{.min_p = std::min(1.0, 2.0 / labellings)};
  if (pool.n > max_exact_runs || pool.m > max_exact_runs) {
    result.test = by_normal(pool);
    return result;
  }
  const Tails tails = exact_tails(pool);
  result.test = {.statistic = static_cast<double>(pool.doubled_u) / 2.0,
                 .p_less = tails.less,
                 .p_greater = tails.greater,
                 .exact = true,
                 .method = "exact permutation law"};
  result.test.p_two = doubled_tail(result.test.p_less, result.test.p_greater);
  return result;
}

std::vector<double> doubled_u_law(const PooledRuns& runs) {
  return TiedLaw(pool_sizes(runs)).shares();
}

TestOutcome run_mann_whitney(const TwoSamples& scores, const TestSettings& settings) {
  const PooledRuns runs = pooled_runs(scores.candidate, scores.baseline, settings.resolution);
  const Estimate theta = unpaired_theta(runs, settings.alpha).interval;
  if (runs.all_tied()) return all_tied("Mann-Whitney", theta, beating);
  const MannWhitney test = mann_whitney(runs);
  TestOutcome outcome = judged(test.test, settings, theta, beating);
  outcome.further = {{"shift of the scores (candidate - baseline), if nothing else differs",
                      hodges_lehmann_shift(scores.candidate, scores.baseline, settings.alpha)}};
  note_min_p(outcome, test.min_p, settings);
  return outcome;
}

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

}  // namespace retrial::variance::inline ranks
