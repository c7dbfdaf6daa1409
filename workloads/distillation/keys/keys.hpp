#pragma once

#include <string>
#include <vector>

#include "workloads/interface/declaration.hpp"

namespace retrial::distillation::inline keys {

/// The keys of the workload. The default of a new key is the behavior before it existed, so that old identities stay
/// valid.
[[nodiscard]] std::vector<workloads::Parameter> parameters();

/// Keys that are read under these values; a variant's own table may name no other.
[[nodiscard]] std::vector<std::string> reads(const Values& values);

/// Keys that contradict each other, or name an unknown model or unknown milestones.
[[nodiscard]] std::vector<workloads::Problem> validate(const Values& values);

}  // namespace retrial::distillation::inline keys
