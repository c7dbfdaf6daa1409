#pragma once

#include "harness/watch/watch.hpp"
#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline watch {

/// Names of the sides on the page; `control` is empty for kinds that have none of their own.
struct WatchNames {
  std::string baseline, candidate, control, history;
};

[[nodiscard]] report::Section watch_section(const WatchState& state, const WatchNames& names);
/// retrial.watch/1, share/retrial/schema/watch.json.
[[nodiscard]] Json watch_document(const WatchState& state, const WatchNames& names);

/// "at most one in 1,000 commits".
[[nodiscard]] std::string promise_text(const WatchSettings& settings);

}  // namespace retrial::harness::inline watch
