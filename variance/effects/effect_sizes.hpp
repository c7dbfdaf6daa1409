#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "variance/comparisons/comparisons.hpp"
#include "variance/numbers/estimate.hpp"

/// Effect sizes: how large a difference is, not whether it is real. Sizes without unit, with their intervals.
namespace retrial::variance::inline effects {

enum class EffectKind {
  standardized,  ///< a mean difference, candidate - baseline, in standard deviations; its sign is that of the scores
  ordinal        ///< how often the candidate is better, whichever direction that is
};

struct EffectSize {
  std::string_view name;  ///< "hedges_g"
  EffectKind kind = EffectKind::standardized;
  std::string_view measures;  ///< in words
  Estimate estimate;
  bool leads = false;  ///< the one of its kind that a page shows
  /// "large", by a convention in common use, which is named; empty without a convention.
  std::string_view label = {}, convention = {};
};

struct EffectOptions {
  Direction direction = Direction::higher;  ///< which scores are better; not none
  double alpha = 0.05;                      ///< intervals of level 1 - alpha
  std::optional<double> resolution;         ///< smallest step of the scores: ties
};

/// Sizes that exist for these scores: scores without spread, and fewer than two runs (hedges_g_av: three pairs), have
/// none that is standardized; an interval that needs more runs is absent, and its method says why.
///
/// Pairs. hedges_g_av: difference over the root mean square of both standard deviations (Cumming 2012), comparable with
/// unpaired studies; corrected for bias with the degrees of freedom of that root mean square of correlated variances
/// (Satterthwaite); interval: that of d_z times the ratio of the spreads (Algina and Keselman 2003, approximate).
/// cohen_dz: difference over the standard deviation of the differences; exact interval by noncentral t. win_share:
/// P(candidate beats baseline), as win_interval(). rank_biserial: (W+ - W-) / (W+ + W-) of the signed ranks (Kerby
/// 2014); interval on Fisher's scale from the spread of each difference's own share (Sen 1960); where one side wins
/// all, the bound of floor(n / 2) disjoint pairs.
///
/// Groups. hedges_g: over the pooled standard deviation, corrected for bias; exact interval by noncentral t if both
/// spread equally. glass_delta: over the standard deviation of the baseline; interval by noncentral t with its degrees
/// of freedom (approximate); leads instead where the interval of the ratio of spreads excludes 1. a12: P(candidate
/// beats baseline), as unpaired_theta(). cliff_delta: 2 a12 - 1.
///
/// A bound is one of the population's size, so it is not corrected for bias. Labels: .2 small, .5 medium, .8 large of
/// hedges_g_av, hedges_g and glass_delta (Cohen 1988); a12_label() of a12 (Vargha and Delaney 2000).
[[nodiscard]] std::vector<EffectSize> paired_effects(std::span<const double> candidate,
                                                     std::span<const double> baseline, const EffectOptions& options);
[[nodiscard]] std::vector<EffectSize> unpaired_effects(std::span<const double> candidate,
                                                       std::span<const double> baseline, const EffectOptions& options);

/// Everything that a page says about size: the list above, and the ratio of the standard deviations, candidate /
/// baseline, with an interval that assumes no law of the scores.
struct Effects {
  std::vector<EffectSize> sizes;
  std::optional<Estimate> sd_ratio;
};
[[nodiscard]] Effects effects_of(std::span<const double> candidate, std::span<const double> baseline, Pairing pairing,
                                 const EffectOptions& options);

/// "negligible" below .2, "small", "medium" from .5, "large" from .8 (Cohen 1988), of either sign.
[[nodiscard]] std::string_view cohen_label(double d);

}  // namespace retrial::variance::inline effects
