#include "variance/check.hpp"
#include "variance/comparison_parts.hpp"

namespace retrial::variance {

TestOutcome run_welch_tost(const TwoSamples& scores, const TestSettings& settings) {
  if (!settings.margin)
    throw InvalidInput("margin", "none", "a difference that does not matter, in the unit of the scores");
  const MeanTest t = welch_equivalence(scores.candidate, scores.baseline, *settings.margin, settings.alpha);
  TestOutcome outcome{.status = t.test.p_two <= settings.alpha ? Status::equivalent : Status::inconclusive,
                      .df = t.test.df,
                      .p = t.test.p_two,
                      .method = t.test.method,
                      .estimate = t.difference,
                      .estimand = mean_difference};
  outcome.details = {{"p_above_lower_margin", t.test.p_greater}, {"p_below_upper_margin", t.test.p_less}};
  return outcome;
}

}  // namespace retrial::variance
