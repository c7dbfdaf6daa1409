#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/watch/evidence.hpp"
#include "harness/watch/watch_page.hpp"

/// `retrial gate` of the kinds that watch a history.
namespace retrial::harness::inline watch {

/// --kind: "pairs" first, then the kinds that watch.
[[nodiscard]] const std::vector<std::string>& gate_kinds();
/// Options that belong to a watch alone.
[[nodiscard]] std::vector<Option> watch_options();

/// What a watch shows: the latest state, and whether it was added now.
struct WatchAnswer {
  std::optional<WatchState> state;  ///< nothing after a signal and --dry-run
  WatchNames names;
  bool added = false;
  int signal = 0;  ///< the signal that stopped the runs
};

/// Updates the history of --history by the runs of one commit. The same commit with the same runs again adds nothing
/// and has the same answer; Error{incomparable} for the same commit with others.
[[nodiscard]] WatchAnswer watch_commit(const Arguments& arguments);
/// --reset: the watch begins again, and the history keeps the reason.
[[nodiscard]] std::string reset_watch(const Arguments& arguments);

}  // namespace retrial::harness::inline watch
