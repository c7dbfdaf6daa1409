#pragma once

#include <array>
#include <optional>

#include "harness/command_line/command.hpp"
#include "harness/gate/measured/stored_suite.hpp"
#include "results/store/store.hpp"

/// A baseline is a store of its own: one side of a suite, run alone.
namespace retrial::harness::inline gate::inline measured {

[[nodiscard]] std::vector<Option> baseline_options();

/// The store of --baseline FILE[@DIGEST][:EXPR], or of the folder FILE the one whose baseline is --base-commit.
/// Error{incomparable} where it does not exist, with the line that makes one, or is of another commit than
/// --base-commit; Error{integrity} for another digest, a damaged file or no store of a gate.
[[nodiscard]] std::optional<GivenStore> given_baseline(const Arguments& arguments);
/// The same of --candidate, beside a stored baseline.
[[nodiscard]] GivenStore given_candidate(const Arguments& arguments);
/// The same of --anchor, whose commit is not asked for.
[[nodiscard]] std::optional<GivenStore> given_anchor(const Arguments& arguments);

/// The commit that a store of a gate is of, where it is known: of the candidate, or of a baseline that was run alone.
[[nodiscard]] std::optional<std::string> commit_of(const results::Store& store);
/// That of its baseline.
[[nodiscard]] std::optional<std::string> base_commit_of(const results::Store& store);

/// The store of a baseline keeps its commit: --commit, else that of the program, which nobody else knows. A note says
/// why none is kept. Error{incomparable} where the store is of another commit.
void keep_commit(results::Store& store, const Arguments& arguments, const PlannedSuite& suite);
/// The store of a run of both sides, or of a candidate, keeps theirs: --base-commit and --commit, else those of their
/// programs. Returns them, and where none is known now what the store has kept. A store keeps the first ones: it is of
/// the commit that it was made for.
std::array<std::optional<std::string>, 2> keep_commits(results::Store& store, const Arguments& arguments,
                                                       const PlannedSuite& suite);

/// --confirm STORE: a change that this store of another run does not show too is inconclusive.
void confirm(GateResult& result, const Arguments& arguments, const PlannedSuite& suite, const results::Store& ours);

}  // namespace retrial::harness::inline gate::inline measured
