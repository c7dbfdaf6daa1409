#pragma once

#include <optional>

#include "harness/command_line/command.hpp"
#include "harness/gate/measured/planned_suite.hpp"
#include "results/store/store.hpp"

/// A baseline is a store of its own: one side of a suite, run alone.
namespace retrial::harness::inline gate::inline measured {

[[nodiscard]] std::vector<Option> baseline_options();

/// The store of --baseline FILE[@DIGEST]. Error{incomparable} where it does not exist, with the line that makes one, or
/// is of another commit than --base-commit; Error{integrity} for another digest, a damaged file or no store of a gate.
[[nodiscard]] std::optional<results::Store> given_baseline(const Arguments& arguments);
/// The same of --anchor, whose commit is not asked for.
[[nodiscard]] std::optional<results::Store> given_anchor(const Arguments& arguments);

/// The commit that a store of a gate is of, where it was named.
[[nodiscard]] std::optional<std::string> commit_of(const results::Store& store);

/// Error{incomparable} where the store is of another commit; else it keeps this one.
void keep_commit(results::Store& store, const Arguments& arguments);

/// --confirm STORE: a change that this store of another run does not show too is inconclusive.
void confirm(GateResult& result, const Arguments& arguments, const PlannedSuite& suite, const results::Store& ours);

}  // namespace retrial::harness::inline gate::inline measured
