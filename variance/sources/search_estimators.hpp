#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "variance/components/algebra.hpp"

/// Estimates of a pipeline's performance, with a search for each run or one for several: Bouthillier et al. 2021,
/// section 3. A training is the unit of cost; a search takes T trainings.
namespace retrial::variance::inline sources {

/// An estimate from k runs, and its cost.
struct PipelineEstimate {
  std::int64_t k = 0;
  double trainings = 0.0;
  Estimate mean;
  std::optional<double> sd, se;  ///< sd of one run; se of the mean
  std::vector<std::string> randomised;
};
/// `sources` are those of one training, in order; "search" is added. Each run has its own search: k (T + 1) trainings,
/// and a t interval that holds for the pipeline.
[[nodiscard]] PipelineEstimate ideal_est(std::span<const double> scores, double search_trainings,
                                         std::span<const std::string> sources, double alpha = 0.05);

/// The error of the mean of k runs that share one search, from repetitions with their own frozen draws.
struct EstimatorStudy {
  std::vector<double> sd_of_mean;    ///< [k - 1]: over repetitions, averaged over re-orderings of the runs
  std::vector<double> ideal;         ///< [k - 1]: sigma / sqrt(k)
  double rho = 0.0;                  ///< intra-class correlation of runs of one repetition
  double bias = 0.0, bias_se = 0.0;  ///< mean over all repetitions minus the ideal mean
  double mse = 0.0;        ///< mean squared error of the mean of all k runs: variance over repetitions + bias^2
  double effective = 0.0;  ///< number of ideal runs that all k runs are worth; infinite without spread
};
/// `repetitions`: at least two repetitions, each with the same number of runs, at least two. The order of runs is drawn
/// from `key`.
[[nodiscard]] EstimatorStudy estimator_study(const Clusters& repetitions, double ideal_mean, double ideal_sd,
                                             std::uint64_t key, std::int64_t orders = 200);

/// Best use of a budget of trainings: c searches with k runs each, c (T + k) <= budget, min variance of the mean
/// (between + within / k) / c. At least two searches, or InvalidInput{budget}: one search supports no claim about the
/// pipeline. For equal variances, more searches.
struct BudgetPlan {
  std::int64_t searches = 0, runs_per_search = 0;
  double trainings = 0.0;
  double se = 0.0;         ///< standard error of the mean
  double effective = 0.0;  ///< number of ideal runs with that standard error
  double ideal_se = 0.0;   ///< standard error of ideal_est for the same budget
};
[[nodiscard]] BudgetPlan plan_budget(double budget, double search_trainings, double between, double within);

}  // namespace retrial::variance::inline sources
