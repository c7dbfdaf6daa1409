#include "workloads/profiler/overlap/transitions.hpp"

#include <algorithm>

namespace retrial::profiler::inline overlap {
namespace {

template <typename Seen>
void each_change(const std::vector<ThreadTime>& threads, const Seen& seen) {
  for (const ThreadTime& thread : threads)
    for (std::size_t i = 1; i < thread.layers.size(); ++i) {
      const LayerSegment &before = thread.layers[i - 1], &after = thread.layers[i];
      if (before.end == after.start && before.layer != after.layer)
        seen(thread, after.start, before.layer, after.layer);
    }
}

const Region* region_at(const Timeline& timeline, std::int64_t t) {
  const auto found =
      std::ranges::find_if(timeline.regions, [&](const Region& r) { return r.start <= t && t <= r.end; });
  return found == timeline.regions.end() ? nullptr : &*found;
}

}  // namespace

Transitions transitions(const Timeline& timeline, const std::vector<ThreadTime>& threads) {
  Transitions out;
  each_change(threads, [&](const ThreadTime& thread, std::int64_t at, Category from, Category to) {
    ++out[{timeline.name(thread.operation_at(at)), from, to}];
  });
  return out;
}

std::vector<std::uint64_t> transitions_by_iteration(const Timeline& timeline, const std::vector<ThreadTime>& threads) {
  std::vector<std::int64_t> marks;
  for (const Mark& m : timeline.progress)
    if (m.lane == timeline.progress.front().lane && region_at(timeline, m.at) != nullptr) marks.push_back(m.at);
  std::vector<std::uint64_t> out(marks.size());
  each_change(threads, [&](const ThreadTime&, std::int64_t at, Category, Category) {
    const auto mark = std::ranges::lower_bound(marks, at);
    if (mark != marks.end()) ++out[static_cast<std::size_t>(mark - marks.begin())];
  });
  return out;
}

namespace {

/// The operation around each operation of a thread, by the nesting of its spans.
template <typename Seen>
void each_with_parent(const Timeline& timeline, std::uint32_t lane, const Seen& seen) {
  std::vector<const Span*> open;
  for (const Span& s : timeline.operations) {
    if (s.lane != lane) continue;
    while (!open.empty() && open.back()->end <= s.start && !(open.back()->end == s.start && s.length() == 0))
      open.pop_back();
    if (!s.adopted) seen(s, open.empty() ? s : *open.back());
    open.push_back(&s);
  }
}

}  // namespace

std::map<std::pair<std::string, std::string>, EventCounts> event_counts(const Timeline& timeline,
                                                                        const std::vector<ThreadTime>& threads) {
  std::map<std::pair<std::string, std::string>, EventCounts> out;
  const auto at = [&](std::int64_t t, NameId operation) -> EventCounts* {
    const Region* region = region_at(timeline, t);
    return region == nullptr ? nullptr : &out[{region->phase, timeline.name(operation)}];
  };
  for (const ThreadTime& thread : threads) {
    each_with_parent(timeline, thread.lane, [&](const Span& s, const Span& parent) {
      if (auto* counts = at(s.start, parent.name)) ++counts->annotations;
    });
    const auto operation = [&](const Span& s) { return thread.operation_at(s.start); };
    for (const Span& s : timeline.layers)
      if (s.lane == thread.lane)
        if (auto* counts = at(s.start, operation(s))) {
          counts->hooks[s.category] += 1 + s.id;
          counts->inner[s.category] += s.id;
        }
    for (const Span& s : timeline.calls)
      if (s.lane == thread.lane)
        if (auto* counts = at(s.start, operation(s))) ++counts->calls[timeline.name(s.name)];
    for (const Span& s : timeline.overhead)
      if (s.lane == thread.lane && s.category == Category::cupti_overhead)
        if (auto* counts = at(s.start, operation(s))) counts->overhead_ns += s.length();
  }
  return out;
}

}  // namespace retrial::profiler::inline overlap
