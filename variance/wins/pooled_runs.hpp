#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace retrial::variance::inline wins {

/// The runs of two variants in one pool, as tie groups from the smallest score up: all that a rank statistic of two
/// samples needs, so that several statistics share one sort.
struct PooledRuns {
  std::vector<std::size_t> group;  ///< tie group of each run: the candidate's runs, then the baseline's
  std::vector<std::int64_t> candidates, baselines;  ///< runs of each variant in each group

  [[nodiscard]] std::size_t candidate_runs() const { return n_; }
  [[nodiscard]] std::size_t baseline_runs() const { return group.size() - n_; }
  [[nodiscard]] std::int64_t tied_pairs() const;
  /// True if every run of both variants has the same score, so ranks carry no information.
  [[nodiscard]] bool all_tied() const { return candidates.size() == 1; }
  /// Twice the pairs of runs that the candidate wins, plus its ties: an integer.
  [[nodiscard]] std::int64_t doubled_u() const;

 private:
  friend PooledRuns pooled_runs(std::span<const double>, std::span<const double>, std::optional<double>);
  std::size_t n_ = 0;
};
/// InvalidInput for an empty sample and for values that are not finite. Ties by `tie_tolerance`, chain rule.
[[nodiscard]] PooledRuns pooled_runs(std::span<const double> candidate, std::span<const double> baseline,
                                     std::optional<double> resolution = {});

}  // namespace retrial::variance::inline wins
