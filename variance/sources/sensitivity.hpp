#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "variance/numbers/estimate.hpp"

/// Shares of the variance by source, interactions separated, from designs that vary several sources at once. Seeds are
/// categories, so designs are random, not low-discrepancy.
namespace retrial::variance::inline sources {

/// Seed index of each source for each run: design[run][source]. Equal indices of a source mean equal seeds.
using SeedDesign = std::vector<std::vector<std::uint32_t>>;

/// First-order share S: the source alone. Total share T: with every interaction it takes part in. An estimate below 0
/// has point 0 and keeps its raw value.
struct SourceShare {
  Estimate first, total;
  double raw_first = 0.0, raw_total = 0.0;
};

/// For each row, the runs U, V, and U with one source from V, for each source: rows (sources + 2) runs.
[[nodiscard]] SeedDesign saltelli_design(std::uint32_t rows, std::uint32_t sources);

struct ShareOptions {
  double alpha = 0.05;
  std::int64_t resamples = 1000;  ///< 0: no intervals
  std::uint64_t key = 0;          ///< key of the comparison; purpose "bootstrap" is derived here
};
/// `scores` in the order of the design (Saltelli et al. 2010, Jansen 1999 for the totals); intervals by bootstrap over
/// rows. InvalidInput{scores} unless there is one score per run of the design, {rows} below two rows. All shares are 0
/// if nothing varies.
[[nodiscard]] std::vector<SourceShare> saltelli_estimate(std::span<const double> scores, std::uint32_t sources,
                                                         const ShareOptions& options = {});

/// The share that no source explains alone, 1 - the sum of the first-order shares, in each resample of
/// saltelli_estimate: raw values.
[[nodiscard]] std::vector<double> saltelli_rests(std::span<const double> scores, std::uint32_t sources,
                                                 const ShareOptions& options = {});

/// `runs` (even, more than sources + 1) runs; for each source a random perfect matching whose pairs share that source's
/// seed and nothing else. First-order shares only, from fewer runs than saltelli_design.
[[nodiscard]] SeedDesign matched_design(std::uint32_t runs, std::uint32_t sources, std::uint64_t key);
/// S = mean over pairs of the product of centered scores / variance. Raw values; 0 if nothing varies.
[[nodiscard]] std::vector<double> matched_estimate(std::span<const double> scores, const SeedDesign& design);

}  // namespace retrial::variance::inline sources
