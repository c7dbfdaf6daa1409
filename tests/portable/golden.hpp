#pragma once

#include <optional>
#include <string>

#include "results/json/json.hpp"
#include "results/record/record.hpp"

/// Digests of short trials as they came out elsewhere, with what they were made on.
namespace retrial::tests::portable {

/// The file of a record: status, digests and outcome metrics as bits, program and CPU, and why it was written last.
[[nodiscard]] Json golden_of(const std::string& trial, const results::TrialRecord& record, const std::string& reason);

/// What the file says of the outcome: a record with nothing else in it.
[[nodiscard]] results::TrialRecord record_in(const Json& golden);

/// The first difference by step, where each side was made, and how to report it. Nothing: the same bits.
[[nodiscard]] std::optional<std::string> mismatch(const Json& golden, const results::TrialRecord& record);

}  // namespace retrial::tests::portable
