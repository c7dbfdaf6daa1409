#include "harness/scores/outcomes/score_test.hpp"

#include <cmath>

#include "variance/random/rng.hpp"

namespace retrial::harness::inline scores::inline outcomes {

void run_test(ScoreTest& test, const std::string& name, std::vector<double> candidate, std::vector<double> baseline) {
  const auto comparison = "comparison:" + test.candidate + "|" + test.baseline;
  test.settings.key = variance::derive(test.root, std::string_view(comparison));
  test.tested_candidate = candidate;
  test.tested_baseline = baseline;
  test.outcome = variance::compare(name, std::move(candidate), std::move(baseline), test.settings);
}

void measure_effects(ScoreTest& test, const RunScores& candidate, const RunScores& baseline, bool paired) {
  const auto& row = *variance::find_comparison(test.outcome.test);
  const bool independent = row.needs != "overlap" && test.settings.rho == 0.0;
  if (row.scores != variance::ScoreKind::numbers || !independent || test.outcome.status == variance::Status::invalid)
    return;
  const auto measured = [](const std::optional<double>& score) { return score && std::isfinite(*score); };
  std::vector<double> a, b;
  for (std::size_t i = 0; i < candidate.size(); ++i)
    if (measured(candidate[i]) && (!paired || measured(baseline[i]))) a.push_back(*candidate[i]);
  for (std::size_t i = 0; i < baseline.size(); ++i)
    if (measured(baseline[i]) && (!paired || measured(candidate[i]))) b.push_back(*baseline[i]);
  if (a.empty() || b.empty()) return;
  test.effects = {
      .candidate = test.candidate,
      .baseline = test.baseline,
      .candidate_runs = std::ssize(a),
      .baseline_runs = std::ssize(b),
      .effects = variance::effects_of(a, b, paired ? variance::Pairing::paired : variance::Pairing::unpaired,
                                      {.direction = test.settings.direction,
                                       .alpha = test.settings.alpha,
                                       .resolution = test.settings.resolution})};
}

}  // namespace retrial::harness::inline scores::inline outcomes
