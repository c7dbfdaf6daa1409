#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/gate/gate.hpp"

/// When and where the processes of a claim ran.
namespace retrial::harness::inline gate {

/// "interleaved": in at least 90 % of the pairs no other process of the claim began between the two, and the first one
/// is not always of the same side; "sequential"; "unknown" where the starts are not recorded.
[[nodiscard]] std::string order_of(const GateClaim& claim);

/// Launches, boots and hosts of one side; nothing where a process does not say it.
[[nodiscard]] std::optional<GateVerdict::Origins> origins_of(const std::vector<GateTrial>& trials);

}  // namespace retrial::harness::inline gate
