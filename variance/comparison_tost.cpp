#include "variance/check.hpp"
#include "variance/comparison_parts.hpp"
#include "variance/paired.hpp"

namespace retrial::variance {

TestOutcome run_tost(const TwoSamples& scores, const TestSettings& settings) {
  if (!settings.margin)
    throw InvalidInput("margin", "none", "a difference that does not matter, in the unit of the scores");
  const auto differences = differences_of(scores);
  const PairedOptions options{.alpha = settings.alpha, .tolerance = tolerance_of(scores, settings)};
  const Tost test = *tost(differences, *settings.margin, options);
  const Estimate interval = paired_t(differences, {.alpha = 2.0 * settings.alpha})->mean;
  TestOutcome outcome{.status = test.equivalent ? Status::equivalent : Status::inconclusive,
                      .p = test.p(),
                      .method = "two one-sided paired t tests",
                      .estimate = interval,
                      .estimand = mean_difference};
  outcome.details = {{"p_above_lower_margin", test.p_above}, {"p_below_upper_margin", test.p_below}};
  return outcome;
}

}  // namespace retrial::variance
