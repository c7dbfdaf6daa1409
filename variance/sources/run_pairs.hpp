#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/numbers/estimate.hpp"

/// Statistics of pairs of runs (churn, distance of predictions, amplification): pairs share runs and are not
/// independent, so the unit of resampling is the run.
namespace retrial::variance::inline sources {

/// One value for each pair i < j of `runs` runs, at place j (j - 1) / 2 + i: (0,1), (0,2), (1,2), (0,3), ...
struct PairTable {
  std::size_t runs = 0;
  std::vector<double> values;
  std::vector<double> weights = {};  ///< the statistic is sum(values) / sum(weights); empty: ones, that is, the mean
};
struct Range {
  std::optional<double> low = {}, high = {};  ///< range of the statistic; intervals are clipped to it
};

/// theta +- t_(n-1) se, se^2 = (n - 1)/n sum (theta_(-r) - mean)^2 with each run left out in turn. No bounds below
/// three runs. InvalidInput{values} unless there are runs (runs - 1) / 2 finite values; {weights} likewise.
[[nodiscard]] Estimate pair_jackknife(const PairTable& table, const Range& range = {}, double alpha = 0.05);

struct PairBootstrapOptions {
  double alpha = 0.05;
  std::int64_t resamples = 10'000;
  std::uint64_t key = 0;
};
/// Percentile interval under drawn runs. Only pairs of two different original runs count: a run paired with itself
/// would pull a churn to zero. A draw with fewer than two different runs continues with the next words of its stream.
[[nodiscard]] Estimate pair_bootstrap(const PairTable& table, const PairBootstrapOptions& options);

}  // namespace retrial::variance::inline sources
