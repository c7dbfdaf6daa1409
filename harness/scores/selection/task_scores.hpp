#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/scores/selection/slice.hpp"
#include "variance/bootstrap/aggregate.hpp"

namespace retrial::harness::inline scores::inline selection {

/// The scores of every variant on every task, without failed runs.
struct TasksOfVariants {
  std::vector<std::string> tasks, names;
  std::vector<variance::TaskScores> scores;  ///< scores[name].tasks[task]
  bool paired = false;                       ///< run i of all variants is one pair, in each task
  std::vector<std::string> notes;
};

/// Error{usage} for a variant without a score for some task and, unless the policy is `drop`, for a run without a
/// score: an aggregate has no value for it. In paired data the whole pair is dropped for all variants.
[[nodiscard]] TasksOfVariants tasks_of_variants(const std::vector<Slice>& slices,
                                                const std::optional<variance::FailurePolicy>& policy);

}  // namespace retrial::harness::inline scores::inline selection
