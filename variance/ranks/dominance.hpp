#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

/// Almost stochastic order (del Barrio, Cuesta-Albertos and Matran 2018; Dror, Shlomov and Reichart 2019).
namespace retrial::variance::inline ranks {

struct DominanceOptions {
  double alpha = 0.05;  ///< confidence 1 - alpha of the bound; use alpha / m for m comparisons
  double tau = 0.2;     ///< dominance is claimed below tau; .5 (Dror et al.) has a high type-I error
  std::int64_t resamples = 1'000;
  bool paired = false;    ///< resample pairs, not each side by itself
  std::uint64_t key = 0;  ///< key of the draws: resample r uses Stream(key, r), the candidate's words first
};
struct Dominance {
  /// Violation ratio: share of the squared distance between the two quantile functions where the candidate's is lower:
  /// 0 = the candidate dominates, 1 = the baseline does; the ratio of the reverse is one minus it. Exact, a finite sum
  /// over the merged steps i / n and j / m. One half for identical quantile functions.
  double ratio = 0.5;
  std::optional<double> sd;     ///< sd of its resampled deviation, scaled by sqrt(nm / (n + m)); absent for one run
  std::optional<double> bound;  ///< upper confidence bound of the ratio, in [0, 1]
  /// bound < tau. Of few runs the bound is far too low: with two of each that is so in one of six studies of equal
  /// variants. `compare` therefore also takes an exact rank test at alpha.
  bool dominates = false;
  std::string note;  ///< "identical", "more runs needed", or empty
};
/// InvalidInput for an empty sample and for values that are not finite.
[[nodiscard]] Dominance aso(std::span<const double> candidate, std::span<const double> baseline,
                            const DominanceOptions& options);

}  // namespace retrial::variance::inline ranks
