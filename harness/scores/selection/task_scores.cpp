#include "harness/scores/selection/task_scores.hpp"

#include <algorithm>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline selection {
namespace {

[[noreturn]] void refuse_task(const std::string& field, const std::string& value, const std::string& problem,
                              const std::string& allowed = "") {
  throw Error({.code = "scores.tasks",
               .field = field,
               .value = results::one_line(value, 100),
               .problem = problem,
               .allowed = allowed});
}

bool complete(const Slice& slice, std::size_t run) {
  return std::ranges::all_of(slice.scores, [&](const auto& scores) { return scores[run].has_value(); });
}

std::vector<double> kept(const Slice& slice, std::size_t variant) {
  std::vector<double> scores;
  for (std::size_t run = 0; run < slice.scores[variant].size(); ++run)
    if (slice.paired ? complete(slice, run) : slice.scores[variant][run].has_value())
      scores.push_back(*slice.scores[variant][run]);
  return scores;
}

}  // namespace

TasksOfVariants tasks_of_variants(const std::vector<Slice>& slices,
                                  const std::optional<variance::FailurePolicy>& policy) {
  TasksOfVariants all{.names = slices.front().names,
                      .scores = std::vector<variance::TaskScores>(slices.front().names.size()),
                      .paired = std::ranges::all_of(slices, &Slice::paired)};
  std::int64_t missing = 0;
  for (const Slice& slice : slices) {
    if (slice.names != all.names)
      refuse_task(
          "task", slice.task,
          "has different variants from task " + slices.front().task + ": an aggregate needs all of them on every task",
          results::joined(all.names));
    slice.require_all_equal();
    all.tasks.push_back(slice.task);
    for (const std::string& note : slice.notes)
      if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(note);
    for (std::size_t v = 0; v < all.names.size(); ++v) {
      missing += slice.missing(v);
      all.scores[v].tasks.push_back(kept(slice, v));
      if (all.scores[v].tasks.back().empty())
        refuse_task(
            "variant", all.names[v],
            slice.task.empty() ? "has no score" : "has no score for task " + results::one_line(slice.task, 100));
    }
  }
  if (missing == 0) return all;
  if (policy != variance::FailurePolicy::drop)
    refuse_task("--failure", "",
                counted(missing, "score") + (missing == 1 ? " is" : " are") +
                    " missing, and an aggregate cannot use a failed run",
                "drop");
  all.notes.push_back(counted(missing, "failed run") +
                      " left out, so a variant that fails more often looks better than it is");
  return all;
}

}  // namespace retrial::harness::inline scores::inline selection
