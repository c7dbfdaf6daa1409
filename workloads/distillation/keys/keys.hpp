#pragma once

#include <string>
#include <vector>

#include "workloads/interface/declaration.hpp"

namespace retrial::distillation::inline keys {

/// The keys of the workload. A key that is added later defaults to what was done without it, so that old identities
/// stay valid.
[[nodiscard]] std::vector<workloads::Parameter> parameters();

/// Keys that are read under these values; a variant's own table may name no other.
[[nodiscard]] std::vector<std::string> reads(const Values& values);

/// Keys that do not go together, or name a model or milestones nobody knows.
[[nodiscard]] std::vector<workloads::Problem> validate(const Values& values);

}  // namespace retrial::distillation::inline keys
