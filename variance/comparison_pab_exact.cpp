#include "variance/comparison_parts.hpp"
#include "variance/decide.hpp"
#include "variance/win.hpp"

namespace retrial::variance {

TestOutcome run_pab_exact(const TwoSamples& scores, const TestSettings& settings) {
  const PairedWin counts = counts_of(scores, settings);
  TestOutcome outcome = sign_outcome(counts, settings);
  outcome.method = "exact binomial rule on untied pairs";
  outcome.details.emplace_back("gamma", settings.gamma);
  const Levels levels{.alpha = claim_level(settings), .beta = settings.beta, .gamma = settings.gamma};
  if (outcome.status != Status::invalid) outcome.status = pab_exact(counts.wins, counts.untied(), levels);
  return outcome;
}

}  // namespace retrial::variance
