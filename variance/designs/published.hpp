#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "variance/numbers/estimate.hpp"

/// Comparison of runs with a published number.
namespace retrial::variance::inline designs {

/// A published mean. Taken as exact without a standard deviation and a number of runs.
struct Published {
  double value = 0.0;
  std::optional<double> sd = {};
  std::optional<std::int64_t> runs = {};
};

/// A statement about a published number, not a verdict about two variants.
enum class PublishedOutcome { confirmed, refuted, undecided };

struct PublishedCheck {
  std::int64_t n = 0;
  double mean = 0.0;
  std::optional<double> sd, statistic, df,
      p_two;            ///< absent for one run; statistic, df and p also for runs that are all equal
  Estimate difference;  ///< mean - published value, level 1 - alpha; no bounds for one run
  PublishedOutcome outcome = PublishedOutcome::undecided;
  std::string_view reason;  ///< why undecided: "one run", "no variation", "too few runs for the margin"
};

/// t = (mean - claim) / (sd / sqrt(n)) with n - 1 degrees of freedom, two-sided; Welch's t if the published value has a
/// standard deviation.
///   refuted    p < alpha: the interval of the difference excludes 0.
///   confirmed  not refuted, and the interval is within +- margin. A large p alone confirms nothing: few runs that
///              scatter widely have it too. (Equivalence by an interval, at level 1 - alpha instead of the usual
///              1 - 2 alpha, so that one interval shows both answers.)
///   undecided  everything else; always for one run and for runs without any spread.
/// InvalidInput for no run, a run that is not finite, a margin that is not positive, alpha outside (0, 0.5).
[[nodiscard]] PublishedCheck check_published(std::span<const double> runs, const Published& claim, double margin,
                                             double alpha = 0.05);

}  // namespace retrial::variance::inline designs
