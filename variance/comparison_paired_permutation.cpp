#include <cmath>

#include "variance/comparison_parts.hpp"
#include "variance/paired.hpp"

namespace retrial::variance {
namespace {

Estimate mean_interval(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  if (differences.size() < 2)
    return {.point = differences[0], .level = 1.0 - settings.alpha, .method = "none: one pair"};
  return paired_t(differences, {.alpha = settings.alpha})->mean;
}

}  // namespace

TestOutcome run_paired_permutation(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  TestOutcome outcome = judged(paired_permutation(differences, relabelling(settings)), settings,
                               mean_interval(scores, settings), mean_difference);
  note_least_p(outcome, std::pow(0.5, static_cast<double>(differences.size()) - 1.0), settings);
  return outcome;
}

}  // namespace retrial::variance
