#pragma once

#include "harness/gate/gate.hpp"
#include "results/json/json_fwd.hpp"

namespace retrial::harness::inline gate {

/// retrial.gate/1, share/retrial/schema/gate.json.
[[nodiscard]] Json gate_document(const GateResult& result, const GateSettings& settings);

}  // namespace retrial::harness::inline gate
