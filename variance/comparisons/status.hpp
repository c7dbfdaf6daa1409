#pragma once

#include <string_view>

namespace retrial::variance::inline comparisons {

/// Outcomes of a comparison of the candidate with the baseline.
enum class Status { better, worse, equivalent, not_meaningful, inconclusive, invalid };

/// BETTER, WORSE, EQUIVALENT, NOT MEANINGFUL, INCONCLUSIVE, INVALID.
[[nodiscard]] std::string_view name_of(Status status);

/// The subject of a test. BETTER and WORSE are words for the level of the scores alone.
enum class About {
  level,  ///< better: the scores of the candidate are
  spread  ///< better: the scores of the candidate spread less, whichever direction is better
};
/// The same words about the level. For the spread STEADIER and LESS STEADY replace better and worse.
[[nodiscard]] std::string_view name_of(Status status, About about);

/// Reasons for an INVALID verdict.
enum class InvalidReason {
  design_mismatch,  ///< not the trials that the design declared
  order,            ///< pairs not in the order of the plan
  extended,         ///< more pairs than the design declared
  one_cluster,      ///< a pipeline claim from one search
  ties,             ///< more ties than the design allows, or only ties
  missing,          ///< missing trials that the design does not allow
  numerics,         ///< a computation did not converge
  sampler,          ///< a sampler did not mix
  null_control,     ///< the control run without a change raised an alarm
  dead_source,      ///< the seed of a variant changes nothing: its runs are copies of one run
  side_by_side,     ///< times of trials that ran at the same time
  program_changed,  ///< the program of a variant was edited between its runs
  retried           ///< trials were run again after failures, more often than the design declares
};

/// design-mismatch, order, extended, one-cluster, ties, missing, numerics, sampler, null-control,
/// dead-source, side-by-side, program-changed, retried.
[[nodiscard]] std::string_view name_of(InvalidReason reason);

enum class Direction { lower, higher, none };  ///< which scores are better

enum class Sides {
  one,  ///< alpha per directional claim: "better" and "worse" are two claims
  two   ///< alpha for both claims together: half for each
};

}  // namespace retrial::variance::inline comparisons
