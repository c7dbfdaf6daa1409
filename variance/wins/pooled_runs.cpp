#include "variance/wins/pooled_runs.hpp"

#include <algorithm>

#include "variance/numbers/check.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::variance::inline wins {

PooledRuns pooled_runs(std::span<const double> candidate, std::span<const double> baseline,
                       std::optional<double> resolution) {
  require_at_least("candidate runs", static_cast<std::int64_t>(candidate.size()), 1);
  require_at_least("baseline runs", static_cast<std::int64_t>(baseline.size()), 1);
  require_finite("candidate", candidate);
  require_finite("baseline", baseline);
  std::vector<double> all(candidate.begin(), candidate.end());
  all.insert(all.end(), baseline.begin(), baseline.end());
  PooledRuns pool;
  pool.n_ = candidate.size();
  pool.group = tie_groups(all, tie_tolerance(resolution, all));
  const std::size_t groups = *std::ranges::max_element(pool.group) + 1;
  pool.candidates.resize(groups), pool.baselines.resize(groups);
  for (std::size_t i = 0; i < all.size(); ++i) ++(i < pool.n_ ? pool.candidates : pool.baselines)[pool.group[i]];
  return pool;
}

std::int64_t PooledRuns::tied_pairs() const {
  std::int64_t ties = 0;
  for (std::size_t g = 0; g < candidates.size(); ++g) ties += candidates[g] * baselines[g];
  return ties;
}

std::int64_t PooledRuns::doubled_u() const {
  std::int64_t doubled = 0, below = 0;
  for (std::size_t g = 0; g < candidates.size(); ++g) {
    doubled += candidates[g] * (2 * below + baselines[g]);
    below += baselines[g];
  }
  return doubled;
}

}  // namespace retrial::variance::inline wins
