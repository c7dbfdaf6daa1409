#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "variance/sources/algebra.hpp"
#include "variance/sources/components.hpp"
#include "variance/sources/sensitivity.hpp"

/// The contribution of each source of variation to the variance of a score, in one form for every design. Variances in
/// the squared unit of the scores, shares of the variance of one run in which every source is re-drawn. An estimate
/// below 0 is reported as 0, with the raw value beside it.
namespace retrial::variance::inline sources {

/// How intervals are made. satterthwaite: of variances by Satterthwaite 1946, of shares by generalized pivotal
/// quantities (Weerahandi 1993): each mean square MS is replaced by df MS / chi2(df). bootstrap: each by
/// MS chi2(df) / df, the parametric bootstrap of a balanced table; of seed designs over rows or pairs.
enum class ShareIntervals { satterthwaite, bootstrap };

struct SharesOptions {
  double alpha = 0.05;
  ShareIntervals intervals = ShareIntervals::satterthwaite;
  std::int64_t resamples = 1000;
  std::uint64_t key = 0;  ///< of the comparison; purpose "bootstrap" is derived here
};

struct SourceContribution {
  std::string source;
  std::int64_t runs = 0;  ///< that its estimate rests on
  double raw = 0.0;       ///< variance; may be negative
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
  std::optional<SourceContribution> interaction;  ///< what the sources do together and none alone
  std::optional<SourceContribution> noise;        ///< of a stratum that is not bit-identical
  std::vector<std::string> warnings;
};

/// The variance of replicates with every seed frozen: nothing known, or exactly 0, or an estimate that is taken off
/// what the runs of the sources show.
using Noise = std::optional<NoiseStratum>;

/// One source at a time: `alone[s]` varies source s only, `together` varies all. Each at least two runs. The
/// interaction is what `together` has beyond the sum, and may be negative: the sources lie around one base seed.
[[nodiscard]] SourceShares one_at_a_time_shares(const std::vector<std::string>& names, const Clusters& alone,
                                                std::span<const double> together, const Noise& noise,
                                                const SharesOptions& options = {});

/// cells[row][column], one run of each seed of the first source with each of the second; 2 x 2 and more.
[[nodiscard]] SourceShares crossed_shares(const std::vector<std::string>& names,
                                          const std::vector<std::vector<double>>& cells, const Noise& noise,
                                          const SharesOptions& options = {});

/// The same of a table with holes, absent where a run has no score: restricted maximum likelihood. Variances have the
/// interval of its information (or, on request, percentiles), shares percentiles of `resamples` tables simulated from
/// the fit (parametric bootstrap). Two rows and columns with a score and more scores than both together, or
/// InvalidInput{cells}.
[[nodiscard]] SourceShares incomplete_crossed_shares(const std::vector<std::string>& names,
                                                     const std::vector<std::vector<std::optional<double>>>& cells,
                                                     const Noise& noise, const SharesOptions& options = {});

/// Clusters share a draw of `outer`; `inner` names the source that is re-drawn for every run. At least two clusters,
/// and two runs in one of them. Clusters of unequal size: as the analysis of variance with k0 runs each, which the
/// intervals take for exact; a warning says so.
[[nodiscard]] SourceShares nested_shares(const std::string& outer, const std::string& inner, const Clusters& clusters,
                                         const Noise& noise, const SharesOptions& options = {});

/// `scores` in the order of saltelli_design(rows, names.size()).
[[nodiscard]] SourceShares saltelli_shares(const std::vector<std::string>& names, std::span<const double> scores,
                                           const Noise& noise, const SharesOptions& options = {});

/// `scores` in the order of `design`, a matched_design. Intervals by bootstrap over the pairs of each source, the
/// variance taken as known; that of the interaction takes the resamples of different sources as independent.
[[nodiscard]] SourceShares matched_shares(const std::vector<std::string>& names, std::span<const double> scores,
                                          const SeedDesign& design, const Noise& noise,
                                          const SharesOptions& options = {});

/// Ideal runs that the mean of k runs is worth when the sources in `held` (places in `sources`) are drawn once for all
/// of them: total / (held + (total - held) / k). Interactions with a held source count as redrawn, so that this is an
/// upper bound. At most k.
[[nodiscard]] double worth_when_held(const SourceShares& shares, std::span<const std::size_t> held, std::int64_t k);

/// Which source to re-draw next, starting from none: each step adds the source that gains most.
struct Step {
  std::string source;
  double worth = 1.0;  ///< ideal runs that k runs are worth once it is re-drawn too
};
[[nodiscard]] std::vector<Step> order_of_purchase(const SourceShares& shares, std::int64_t k);

}  // namespace retrial::variance::inline sources
