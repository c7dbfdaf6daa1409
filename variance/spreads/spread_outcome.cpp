#include "variance/spreads/spread_outcome.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::variance::inline spreads {
namespace {

constexpr const char* sd_of_both = "sd of the candidate / sd of the baseline";

double sum_of_fourth_powers(std::span<const double> scores) {
  const double centre = *mean(scores), scale = *sample_variance(scores) * (size_of(scores) - 1.0) / size_of(scores);
  std::vector<double> powers;
  for (const double x : scores) {
    const double square = (x - centre) * (x - centre) / scale;
    powers.push_back(square * square);
  }
  return pairwise_sum(powers);
}

double kurtosis_of(const TwoSamples& scores) {
  return (sum_of_fourth_powers(scores.candidate) + sum_of_fourth_powers(scores.baseline)) /
         (size_of(scores.candidate) + size_of(scores.baseline));
}

}  // namespace

void require_spread_runs(std::span<const double> candidate, std::span<const double> baseline, std::int64_t min_runs) {
  require_at_least("candidate runs", std::ssize(candidate), min_runs);
  require_at_least("baseline runs", std::ssize(baseline), min_runs);
  require_finite("candidate", candidate);
  require_finite("baseline", baseline);
}

void require_spread_pairs(std::span<const double> candidate, std::span<const double> baseline, std::int64_t min_pairs) {
  require_pairs(candidate, baseline);
  require_at_least("pairs", std::ssize(candidate), min_pairs);
  require_finite("candidate", candidate);
  require_finite("baseline", baseline);
}

bool both_vary(std::span<const double> candidate, std::span<const double> baseline) {
  if (candidate.size() < 2 || baseline.size() < 2) return false;
  const double noise = tie_tolerance(std::nullopt, candidate, baseline);
  return std::ranges::all_of(std::initializer_list<std::span<const double>>{candidate, baseline},
                             [&](const auto& side) {
                               const auto [low, high] = std::ranges::minmax(side);
                               return high - low > noise;
                             });
}

std::optional<Estimate> ratio_of_sds(std::span<const double> candidate, std::span<const double> baseline, double alpha,
                                     std::string method) {
  require_between("alpha", alpha, 0.0, 0.5);
  if (!both_vary(candidate, baseline)) return std::nullopt;
  return Estimate{.point = *sd(candidate) / *sd(baseline),
                  .low = {},
                  .high = {},
                  .level = 1.0 - alpha,
                  .method = std::move(method)};
}

TestOutcome judged_spread(TestResult result, const TestSettings& settings, const std::optional<Estimate>& ratio) {
  if (!ratio) {
    TestOutcome constant = all_tied(result.method, {.level = 1.0 - settings.alpha, .method = "none"}, sd_of_both);
    constant.notes = {"the scores of a variant are all equal: its spread is 0, and there is no ratio to judge"};
    return constant;
  }
  std::swap(result.p_less, result.p_greater);  // the candidate that spreads less is the better one
  return judged(result, settings, *ratio, sd_of_both);
}

void add_normality(TestOutcome& outcome, const TwoSamples& scores) {
  if (outcome.status == Status::invalid) return;
  const double kurtosis = kurtosis_of(scores);
  outcome.details.emplace_back("kurtosis", kurtosis);
  outcome.notes.push_back(
      "valid for normal scores alone, whose kurtosis is 3 (here " + significant(kurtosis, 3) +
      "): with heavier tails it finds differences of spread that are not there, at any number of runs");
}

}  // namespace retrial::variance::inline spreads
