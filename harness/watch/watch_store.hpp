#pragma once

#include <filesystem>

#include "harness/watch/watch.hpp"
#include "results/json/json_fwd.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline watch {

/// The document of a state, retrial.gate_state/1, and back. Error{integrity} naming `where` for anything else.
[[nodiscard]] Json document_of(const WatchState& state);
[[nodiscard]] WatchState state_of(const Json& document, const std::string& where);

/// Every state that the store holds, the first one first. Error{integrity} when they are no single line: one is
/// missing, or two follow the same one.
[[nodiscard]] std::vector<WatchState> watch_states(const results::Store& store);

/// Since the last reset.
[[nodiscard]] std::vector<WatchState> watch_under_way(const std::vector<WatchState>& all);

/// Adds a state after the latest one; its number and predecessor are filled in. `next` gets the states that the store
/// holds and returns the one to add, or nothing. No other process adds one in between: Error{measurement} when another
/// one holds the history for 60 s.
std::optional<WatchState> append_state(
    results::Store& store, const std::function<std::optional<WatchState>(const std::vector<WatchState>&)>& next);

}  // namespace retrial::harness::inline watch
