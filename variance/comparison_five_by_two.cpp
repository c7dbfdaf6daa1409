#include "variance/comparison_parts.hpp"
#include "variance/summary.hpp"

namespace retrial::variance {
namespace {

TestOutcome five_by_two(const TwoSamples& scores, const TestSettings& settings, const TestResult& result) {
  const auto differences = differences_of(scores);
  return judged(result, settings,
                {.point = *mean(differences), .level = 1.0 - settings.alpha, .method = "none: the ten are dependent"},
                mean_difference);
}

}  // namespace

TestOutcome run_five_by_two_t(const TwoSamples& scores, const TestSettings& settings) {
  return five_by_two(scores, settings, five_by_two_t(differences_of(scores)));
}

TestOutcome run_five_by_two_f(const TwoSamples& scores, const TestSettings& settings) {
  return five_by_two(scores, settings, five_by_two_f(differences_of(scores)));
}

}  // namespace retrial::variance
