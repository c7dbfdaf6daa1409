#pragma once

#include <cstdint>
#include <optional>

#include "variance/comparisons/comparisons.hpp"
#include "variance/wins/decide.hpp"

/// Runs that a design needs, and the effect that n runs can detect. The sizes of the sign rule are in decide.hpp.
namespace retrial::variance::inline designs {

/// Plans with more runs are refused.
inline constexpr std::int64_t max_planned_runs = 1'000'000;

/// Smallest gamma that the exact one-sided sign test of `pairs` untied pairs detects with probability 1 - beta. Absent
/// when even winning every pair is not enough.
[[nodiscard]] std::optional<double> detectable_gamma(std::int64_t pairs, double alpha = 0.05, double beta = 0.05);
/// Probability that the exact sign test of n pairs reports BETTER for a candidate that wins `gamma` of them.
[[nodiscard]] double sign_power(std::int64_t pairs, double gamma, double alpha = 0.05);

/// Probability that the rule reports BETTER for a candidate that wins a share of its pairs, in [0, 1]: the power of
/// pab_exact where the levels of the rule have a gamma, of the exact sign test where they have none. 0 if no number of
/// wins is enough.
[[nodiscard]] double rule_power(const FixedRule& rule, double share);
/// Smallest share of pairs won that the same rule finds with probability 1 - beta. Absent when even winning every pair
/// is not enough.
[[nodiscard]] std::optional<double> detectable_share(const FixedRule& rule, double beta = 0.05);

/// The plan of a t test. `effect` is a difference of means over a standard deviation: of the paired
/// differences, or of the runs of one variant (two independent groups of equal size and spread).
struct TDesign {
  Pairing pairing = Pairing::paired;
  double alpha = 0.05, beta = 0.05;
  Sides sides = Sides::one;
  /// Paired runs whose training sets overlap (Nadeau and Bengio 2003): test rows / train rows, 0 for independent runs.
  /// The statistic divides by sqrt((1 / n + overlap) s^2), so its shift is at most effect / sqrt(overlap): some powers
  /// cannot be reached by any number of runs. Exact where every two differences have correlation
  /// overlap / (1 + overlap).
  double overlap = 0.0;
};
/// Probability of the claim in the direction of a positive `effect`, from the noncentral t. `runs`: pairs, or runs of
/// each variant; at least 2.
[[nodiscard]] double t_power(std::int64_t runs, double effect, const TDesign& design = {});
/// Min runs with power 1 - beta; effect > 0. InvalidInput{effect} if more than a million would be needed.
[[nodiscard]] std::int64_t t_runs(double effect, const TDesign& design = {});
/// Smallest effect that n runs detect with probability 1 - beta.
[[nodiscard]] double detectable_effect(std::int64_t runs, const TDesign& design = {});

/// Welch's test of `runs` of each variant, one-sided (Colas, Sigaud and Oudeyer 2018): probability of missing a
/// difference.
struct WelchPlan {
  double df = 0.0;
  double beta = 1.0;        ///< from a shifted central t, as in the published tables
  double beta_exact = 1.0;  ///< from the noncentral t
};
[[nodiscard]] WelchPlan welch_plan(std::int64_t runs, double sd_candidate, double sd_baseline, double difference,
                                   double alpha = 0.05);

/// Division of trainings between searches and runs that use one search's result. `search_cost` T in trainings, cost
/// c (T + k), variance of the mean (between + within / k) / c; optimum k = sqrt(T within / between).
struct Allocation {
  double optimum = 0.0;  ///< optimal k; infinite without variance between searches
  std::int64_t runs_per_search = 0;
  double searches_needed = 0.0;
  std::int64_t searches = 0;
  double trainings = 0.0;
};
[[nodiscard]] Allocation allocate_runs(double search_cost, double between, double within, double target_se);

}  // namespace retrial::variance::inline designs
