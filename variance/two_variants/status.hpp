#pragma once

#include <string_view>

namespace retrial::variance::inline two_variants {

/// How a comparison of the candidate with the baseline ends.
enum class Status { better, worse, equivalent, not_meaningful, inconclusive, invalid };

/// BETTER, WORSE, EQUIVALENT, NOT MEANINGFUL, INCONCLUSIVE, INVALID.
[[nodiscard]] std::string_view name_of(Status status);

/// Why a verdict is INVALID.
enum class InvalidReason {
  design_mismatch,  ///< not the trials that the design declared
  order,            ///< pairs not in the order of the plan
  extended,         ///< a fixed design was given more pairs than it declared
  one_cluster,      ///< a pipeline claim from one search
  ties,             ///< more ties than the design allows, or nothing but ties
  missing,          ///< trials are missing that the design does not allow to be
  numerics,         ///< a computation did not converge
  sampler,          ///< a sampler did not mix
  null_control      ///< the control without a change alarmed
};

/// design-mismatch, order, extended, one-cluster, ties, missing, numerics, sampler, null-control.
[[nodiscard]] std::string_view name_of(InvalidReason reason);

}  // namespace retrial::variance::inline two_variants
