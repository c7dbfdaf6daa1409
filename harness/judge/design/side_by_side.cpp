#include "harness/judge/design/side_by_side.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "harness/text/output.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

/// Trials that run one after another do not overlap; a clock that is set between two of them may move their starts.
constexpr std::int64_t tolerance_ns = 1'000'000;

struct Span {
  std::int64_t trial = 0, begin = 0, end = 0;
};

/// The spans that overlap another one, and the most that overlap at one time.
struct Overlaps {
  std::set<std::int64_t> trials;
  std::size_t at_once = 1;
};

Overlaps overlaps_of(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, &Span::begin);
  Overlaps found;
  std::multimap<std::int64_t, std::int64_t> running;  // end, trial
  for (const auto& span : spans) {
    running.erase(running.begin(), running.upper_bound(span.begin + tolerance_ns));
    for (const auto& [end, trial] : running) found.trials.insert({trial, span.trial});
    running.emplace(span.end, span.trial);
    found.at_once = std::max(found.at_once, running.size());
  }
  return found;
}

std::vector<Span> spans_of(const results::Store& store) {
  std::vector<Span> spans;
  for (const auto& row : store.trials())
    if (row.wall_ns > tolerance_ns)
      spans.push_back({.trial = row.id, .begin = row.started_ns, .end = row.started_ns + row.wall_ns});
  return spans;
}

/// The same, but only on one machine. Hosts are read for the trials that overlap at all: reading them for all takes
/// long.
Overlaps overlaps_on_one_host(const results::Store& store) {
  const auto spans = spans_of(store);
  const auto anywhere = overlaps_of(spans);
  std::map<std::string, std::vector<Span>> by_host;
  for (const auto& span : spans)
    if (anywhere.trials.contains(span.trial)) by_host[store.record(span.trial).host.value_or("")].push_back(span);
  Overlaps all;
  for (auto& [host, each] : by_host) {
    auto found = overlaps_of(std::move(each));
    all.trials.merge(found.trials);
    all.at_once = std::max(all.at_once, found.at_once);
  }
  return all;
}

}  // namespace

bool is_time(const results::MetricDef& metric) {
  constexpr std::array<std::string_view, 7> units{"ns", "us", "\xc2\xb5s", "ms", "s", "min", "h"};
  return metric.nature == results::Nature::cost && std::ranges::find(units, metric.unit) != units.end();
}

std::string side_by_side(const results::Store& store, const std::vector<PlannedTrial>& trials,
                         const std::vector<std::string>& variants, const results::MetricDef& metric) {
  if (!is_time(metric)) return "";
  const auto overlaps = overlaps_on_one_host(store);
  std::int64_t judged = 0, beside = 0;
  for (const auto& trial : trials) {
    const bool side = std::ranges::find(variants, trial.entry.variant) != variants.end();
    if (!side || trial.state != TrialState::done) continue;
    ++judged;
    beside += overlaps.trials.contains(trial.row->id) ? 1 : 0;
  }
  if (beside == 0) return "";
  return std::to_string(beside) + " of " + counted(judged, "trial") + " ran side by side with others, up to " +
         std::to_string(overlaps.at_once) + " at a time, so that " + metric.name +
         " depends on what ran at the same time; a new study with --jobs 1 runs one at a time";
}

}  // namespace retrial::harness::inline judge::inline design
