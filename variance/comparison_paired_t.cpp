#include "variance/comparison_parts.hpp"
#include "variance/paired.hpp"

namespace retrial::variance {

TestOutcome t_outcome(const TwoSamples& scores, const TestSettings& settings, double overlap) {
  const auto differences = differences_of(scores);
  const PairedOptions options{.alpha = settings.alpha, .overlap = overlap, .tolerance = tolerance_of(scores, settings)};
  const PairedT t = *paired_t(differences, options);
  TestResult result{.statistic = t.statistic,
                    .p_less = t.p_less,
                    .p_greater = t.p_greater,
                    .p_two = t.p_two,
                    .method = t.mean.method,
                    .note = t.degenerate ? "degenerate: the differences do not vary" : ""};
  if (!t.degenerate) result.df = t.df;
  const bool equivalent = settings.margin && tost(differences, *settings.margin, options)->equivalent;
  return judged(result, settings, t.mean, mean_difference, equivalent);
}

TestOutcome run_paired_t(const TwoSamples& scores, const TestSettings& settings) {
  return t_outcome(scores, settings, 0.0);
}

}  // namespace retrial::variance
