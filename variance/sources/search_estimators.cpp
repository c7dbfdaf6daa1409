#include "variance/sources/search_estimators.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/components/components.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline sources {
namespace {

/// Spread over repetitions of the mean of the first k runs, in the order that `order` gives for each repetition.
std::vector<double> running_sd(const Clusters& repetitions, std::uint64_t key, std::uint64_t order) {
  const std::size_t runs = repetitions.front().size();
  std::vector<std::vector<double>> means(runs);
  for (std::size_t r = 0; r < repetitions.size(); ++r) {
    const auto places = permutation(derive(key, std::uint64_t{r}), static_cast<std::uint32_t>(runs), order);
    double sum = 0.0;
    for (std::size_t k = 0; k < runs; ++k) {
      sum += repetitions[r][places[k]];
      means[k].push_back(sum / static_cast<double>(k + 1));
    }
  }
  std::vector<double> result;
  for (const auto& of_k : means) result.push_back(*sd(of_k));
  return result;
}

void require_repetitions(const Clusters& repetitions) {
  require_clusters(repetitions);
  require_at_least("repetitions", static_cast<std::int64_t>(repetitions.size()), 2);
  for (std::size_t r = 0; r < repetitions.size(); ++r)
    if (repetitions[r].size() != repetitions.front().size() || repetitions[r].size() < 2)
      throw InvalidInput("repetitions[" + std::to_string(r) + "]", std::to_string(repetitions[r].size()) + " runs",
                         "as many runs as the first, at least two");
}

}  // namespace

PipelineEstimate ideal_est(std::span<const double> scores, double search_trainings,
                           std::span<const std::string> sources, double alpha) {
  require_not_negative("search_trainings", search_trainings);
  require_at_least("runs", static_cast<std::int64_t>(scores.size()), 1);
  require_finite("scores", scores);
  require_between("alpha", alpha, 0.0, 1.0);
  const double k = static_cast<double>(scores.size());
  PipelineEstimate result{.k = static_cast<std::int64_t>(scores.size()),
                          .trainings = k * (search_trainings + 1.0),
                          .mean = {.point = *mean(scores), .level = 1.0 - alpha, .method = "t"},
                          .sd = sd(scores),
                          .randomised = {sources.begin(), sources.end()}};
  result.randomised.emplace_back("search");
  if (!result.sd) return result;
  result.se = *result.sd / std::sqrt(k);
  const double radius = student_quantile(1.0 - alpha / 2.0, k - 1.0) * *result.se;
  result.mean.low = result.mean.point - radius;
  result.mean.high = result.mean.point + radius;
  return result;
}

EstimatorStudy estimator_study(const Clusters& repetitions, double ideal_mean, double ideal_sd, std::uint64_t key,
                               std::int64_t orders) {
  require_repetitions(repetitions);
  require_positive("ideal_sd", ideal_sd);
  require_at_least("orders", orders, 1);
  const std::size_t runs = repetitions.front().size();
  EstimatorStudy study{.sd_of_mean = std::vector<double>(runs, 0.0)};
  for (std::int64_t order = 0; order < orders; ++order) {
    const auto once = running_sd(repetitions, key, static_cast<std::uint64_t>(order));
    for (std::size_t k = 0; k < runs; ++k) study.sd_of_mean[k] += once[k] / static_cast<double>(orders);
  }
  for (std::size_t k = 1; k <= runs; ++k) study.ideal.push_back(ideal_sd / std::sqrt(static_cast<double>(k)));
  const ClusterMean all = cluster_mean(repetitions);
  study.rho = oneway(repetitions).icc.value_or(0.0);
  study.bias = all.mean.point - ideal_mean;
  study.bias_se = *all.sd / std::sqrt(static_cast<double>(all.clusters));
  study.mse = *all.sd * *all.sd + study.bias * study.bias;
  study.effective = *all.sd > 0.0 ? effective_runs(ideal_sd, *all.sd) : std::numeric_limits<double>::infinity();
  return study;
}

BudgetPlan plan_budget(double budget, double search_trainings, double between, double within) {
  require_positive("budget", budget);
  require_not_negative("search_trainings", search_trainings);
  require_positive("within", within);
  require_not_negative("between", between);
  constexpr double max_searches = 1e6;
  const double affordable = std::min(max_searches, std::floor(budget / (search_trainings + 1.0)));
  if (affordable < 2.0)
    throw InvalidInput("budget", shortest(budget), shortest(2.0 * (search_trainings + 1.0)) + " or more trainings");
  BudgetPlan best;
  double smallest = std::numeric_limits<double>::infinity();
  for (double c = affordable; c >= 2.0; c -= 1.0) {
    const double k = std::floor(budget / c - search_trainings), variance = (between + within / k) / c;
    if (variance >= smallest) continue;
    smallest = variance;
    best = {.searches = static_cast<std::int64_t>(c),
            .runs_per_search = static_cast<std::int64_t>(k),
            .trainings = c * (search_trainings + k)};
  }
  best.se = std::sqrt(smallest);
  best.effective = (between + within) / smallest;
  best.ideal_se = std::sqrt((between + within) / affordable);
  return best;
}

}  // namespace retrial::variance::inline sources
