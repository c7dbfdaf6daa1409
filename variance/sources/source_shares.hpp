#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "variance/components/algebra.hpp"
#include "variance/components/components.hpp"
#include "variance/sources/sensitivity.hpp"

/// The contribution of each source of variation to the variance of a score, in one form for every design. Variances in
/// the squared unit of the scores, shares of the variance of one run in which every source is re-drawn. An estimate
/// below 0 is reported as 0, along with the raw value.
namespace retrial::variance::inline sources {

/// Methods for intervals. satterthwaite: variances by Satterthwaite 1946, shares by generalized pivotal quantities
/// (Weerahandi 1993), which replace each mean square MS by df MS / chi2(df). pivotal: variances by them too.
/// bootstrap: replaces each by MS chi2(df) / df, the parametric bootstrap of a balanced table; for seed designs,
/// resamples rows or pairs. A warning says where a method covers less than its level.
enum class ShareIntervals { satterthwaite, pivotal, bootstrap };

struct SharesOptions {
  double alpha = 0.05;
  ShareIntervals intervals = ShareIntervals::satterthwaite;
  std::int64_t resamples = 1000;
  std::uint64_t key = 0;  ///< key of the comparison; purpose "bootstrap" is derived here
};

struct SourceContribution {
  std::string source;
  std::int64_t runs = 0;  ///< number of runs used by its estimate
  double raw = 0.0;       ///< raw estimate of the variance; may be negative
  Estimate variance;
  double raw_share = 0.0;
  Estimate share;
  std::optional<Estimate> total_share;  ///< with every interaction it takes part in; Saltelli designs only
};

struct SourceShares {
  std::string method;  ///< "one at a time", "crossed", ...
  std::int64_t runs = 0;
  double total = 0.0;                             ///< variance of one run
  std::vector<SourceContribution> sources;        ///< in the order given
  std::optional<SourceContribution> interaction;  ///< joint effect of the sources, beyond each one alone
  std::optional<SourceContribution> noise;        ///< noise of a stratum that is not bit-identical
  std::vector<std::string> warnings;
};

/// The variance of replicates with every seed frozen: unknown, or exactly 0, or an estimate that is subtracted from the
/// variance of the sources' runs.
using Noise = std::optional<NoiseStratum>;

/// One source at a time: `alone[s]` varies source s only, `together` varies all. Each at least two runs. The
/// interaction is the variance of `together` beyond the sum, and may be negative: the sources vary around one base
/// seed.
[[nodiscard]] SourceShares one_at_a_time_shares(const std::vector<std::string>& names, const Clusters& alone,
                                                std::span<const double> together, const Noise& noise,
                                                const SharesOptions& options = {});

/// cells[row][column], one run for each seed of the first source with each seed of the second; at least 2 x 2.
[[nodiscard]] SourceShares crossed_shares(const std::vector<std::string>& names,
                                          const std::vector<std::vector<double>>& cells, const Noise& noise,
                                          const SharesOptions& options = {});

/// The same for a table with holes, absent where a run has no score: restricted maximum likelihood. Variances have
/// intervals from its information (or, on request, percentiles), shares percentiles of `resamples` tables simulated
/// from the fit (parametric bootstrap). Two rows and columns with a score and more scores than both together, or
/// InvalidInput{cells}; no pivotal intervals, or InvalidInput{intervals}.
[[nodiscard]] SourceShares incomplete_crossed_shares(const std::vector<std::string>& names,
                                                     const std::vector<std::vector<std::optional<double>>>& cells,
                                                     const Noise& noise, const SharesOptions& options = {});

/// Clusters share a draw of `outer`; `inner` names the source that is re-drawn for every run. At least two clusters,
/// and two runs in one of them. Clusters of unequal size: treated as an analysis of variance with k0 runs each, which
/// the intervals take as exact; a warning states it.
[[nodiscard]] SourceShares nested_shares(const std::string& outer, const std::string& inner, const Clusters& clusters,
                                         const Noise& noise, const SharesOptions& options = {});

/// `scores` in the order of saltelli_design(rows, names.size()).
[[nodiscard]] SourceShares saltelli_shares(const std::vector<std::string>& names, std::span<const double> scores,
                                           const Noise& noise, const SharesOptions& options = {});

/// `scores` in the order of `design`, a matched_design. Intervals by bootstrap over the pairs of each source, with the
/// variance taken as known; the interval of the interaction treats resamples of different sources as independent.
[[nodiscard]] SourceShares matched_shares(const std::vector<std::string>& names, std::span<const double> scores,
                                          const SeedDesign& design, const Noise& noise,
                                          const SharesOptions& options = {});

/// Number of ideal runs that the mean of k runs is worth if the sources in `held` (places in `sources`) are drawn once
/// for all of them: total / (held + (total - held) / k). Interactions with a held source count as redrawn, so this is
/// an upper bound. At most k.
[[nodiscard]] double worth_when_held(const SourceShares& shares, std::span<const std::size_t> held, std::int64_t k);

/// The order in which to re-draw sources, starting from none: each step adds the source that gains most.
struct Step {
  std::string source;
  double worth = 1.0;  ///< number of ideal runs that k runs are worth once it is re-drawn too
};
[[nodiscard]] std::vector<Step> order_of_purchase(const SourceShares& shares, std::int64_t k);

}  // namespace retrial::variance::inline sources
