#include <algorithm>

#include "harness/scores/compare_scores.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/scores/selection/task_scores.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/many/hierarchical.hpp"
#include "variance/random/rng.hpp"

namespace retrial::harness::inline scores {
namespace {

using variance::Hierarchical;
using variance::TestOutcome;

/// Differences of pairs in the unit of the scores, sorted, so that the order of the lines does not matter.
std::vector<std::vector<double>> differences_of(const TasksOfVariants& all, const Sides& sides) {
  std::vector<std::vector<double>> differences;
  for (std::size_t m = 0; m < all.tasks.size(); ++m) {
    differences.emplace_back();
    for (std::size_t i = 0; i < all.scores[0].tasks[m].size(); ++i)
      differences.back().push_back(all.scores[sides.candidate].tasks[m][i] - all.scores[sides.baseline].tasks[m][i]);
    std::sort(differences.back().begin(), differences.back().end());
  }
  return differences;
}

std::string note_without_posterior(std::size_t tasks) {
  const std::string otherwise = ", or judge each task with --test bayes_t --task NAME";
  if (tasks < variance::min_sets)
    return "one or two tasks do not show how far tasks differ, so there is no posterior: add tasks" + otherwise;
  return "the sampler did not converge, so there is no posterior: add tasks or runs per task" + otherwise;
}

/// No claim is made if every posterior probability is small; a sampler that did not mix gives INVALID (sampler).
void judge(TestOutcome& outcome, const Hierarchical& found, const variance::TestSettings& settings) {
  const double level = 1.0 - (settings.sides == variance::Sides::two ? settings.alpha / 2.0 : settings.alpha);
  outcome.status = status_of(found, level);
  if (found.mixed) return;
  outcome.reason = variance::InvalidReason::sampler;
  outcome.posterior.reset();
  outcome.details = {{"r_hat_mean", found.mixing_delta.r_hat},
                     {"effective_draws_mean", found.mixing_delta.effective_draws},
                     {"r_hat_spread", found.mixing_sigma.r_hat},
                     {"effective_draws_spread", found.mixing_sigma.effective_draws}};
  outcome.notes.push_back(note_without_posterior(static_cast<std::size_t>(outcome.candidate_runs)));
}

void add_details(TestOutcome& outcome, const Hierarchical& found) {
  outcome.details = {{"mean_better", found.mean.right},
                     {"mean_rope", found.mean.rope},
                     {"mean_worse", found.mean.left},
                     {"spread_of_tasks", found.sigma},
                     {"degrees_of_freedom", found.nu},
                     {"r_hat_mean", found.mixing_delta.r_hat},
                     {"effective_draws_mean", found.mixing_delta.effective_draws},
                     {"r_hat_spread", found.mixing_sigma.r_hat},
                     {"effective_draws_spread", found.mixing_sigma.effective_draws}};
}

}  // namespace

Exit compare_hierarchical(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice) {
  refuse_options(arguments, {"test", "aso", "adjust", "interval", "task", "reps", "margin"},
                 {.problem = "does not apply to --bayes hierarchical"});
  const auto all = tasks_of_variants(task_slices(table, choice.metric), failure_given(arguments));
  if (!all.paired)
    throw Error({.code = "compare.not_paired",
                 .field = "--bayes hierarchical",
                 .problem = "needs pairs within each task, but the scores have no pair numbers"});
  const Sides sides = sides_of({table.name, all.names}, arguments);
  ScoreTest test{.candidate = all.names[sides.candidate],
                 .baseline = all.names[sides.baseline],
                 .root = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed(),
                 .warnings = all.notes,
                 .observation = "task"};
  test.settings.direction = choice.direction;
  take_options(arguments, test.settings);
  const std::string comparison = "comparison:" + test.candidate + "|" + test.baseline;
  const auto differences = differences_of(all, sides);
  Hierarchical found = variance::hierarchical(
      differences,
      {.rope = test.settings.rope,
       .rho = test.settings.rho,
       .key = variance::derive(variance::derive(test.root, std::string_view(comparison)), "hierarchical")});
  // The model has no sides: flipping its answer instead of the scores gives both directions the same draws.
  if (choice.direction == variance::Direction::lower) {
    std::swap(found.next.left, found.next.right);
    std::swap(found.mean.left, found.mean.right);
  }
  TestOutcome& outcome = test.outcome;
  outcome.test = "bayes_hierarchical";
  outcome.posterior = found.next;
  outcome.drawn = true;
  outcome.method = "Bayesian hierarchical model, the next task";
  outcome.estimand = "mean difference over tasks (candidate - baseline)";
  outcome.estimate = {.point = found.delta, .level = 1.0 - test.settings.alpha, .method = "none: posterior mean"};
  outcome.candidate_runs = outcome.baseline_runs = std::ssize(differences);
  outcome.notes = table.notes;
  outcome.notes.emplace_back(
      "the model lets tasks differ as far one way as the other; where a few tasks hold most of the difference, equal "
      "means are called BETTER or WORSE too often (lognormal differences, ten tasks: 12 % of studies instead of 5 %)");
  add_details(outcome, found);
  judge(outcome, found, test.settings);
  return report_test(arguments, test);
}

}  // namespace retrial::harness::inline scores
