#pragma once

#include "harness/command_line/command.hpp"
#include "harness/gate/gate.hpp"
#include "harness/study/declared/gate_keys.hpp"

namespace retrial::harness::inline gate {

/// The options of judging: one for each key of [gate].
[[nodiscard]] std::vector<Option> judging_options();

/// What the table [gate] and the options say; an option overrides its key. Error{usage} names the place of a value that
/// is out of range, and of two that contradict each other.
[[nodiscard]] GateSettings gate_settings(const Arguments& arguments, const GateTable& file = {});

/// retrial.design/1, kind gate: everything about the judgement that is fixed before the first run.
[[nodiscard]] Json gate_design(const GateSettings& settings, const std::vector<std::string>& metrics);

/// The keys of [gate] that a stored design has. Error{integrity} if it is malformed.
[[nodiscard]] GateTable table_of_design(const Json& design);

}  // namespace retrial::harness::inline gate
