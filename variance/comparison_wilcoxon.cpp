#include "variance/comparison_parts.hpp"
#include "variance/ranks.hpp"
#include "variance/summary.hpp"

namespace retrial::variance {

TestOutcome run_wilcoxon(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  const Wilcoxon test = wilcoxon(differences, tolerance_of(scores, settings));
  const bool large = differences.size() > 5'000;
  const char* const estimand = large ? "median difference" : "median of the means of two differences";
  const Estimate estimate = large ? Estimate{.point = *median(differences),
                                             .level = 1.0 - settings.alpha,
                                             .method = "none: more than 5000 pairs"}
                                  : hodges_lehmann(differences, settings.alpha);
  if (test.used == 0) return all_tied("Wilcoxon signed ranks", estimate, estimand);
  TestOutcome outcome = judged(test.test, settings, estimate, estimand);
  note_least_p(outcome, test.least_p, settings);
  outcome.details.emplace_back("w_minus", test.w_minus);
  outcome.details.emplace_back("used", static_cast<double>(test.used));
  return outcome;
}

}  // namespace retrial::variance
