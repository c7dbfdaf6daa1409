#include "workloads/profiler/overlap/threads.hpp"

#include <map>
#include <optional>
#include <tuple>

#include "workloads/profiler/overlap/flatten.hpp"
#include "workloads/profiler/overlap/sweep.hpp"

namespace retrial::profiler::inline overlap {
namespace {

/// The spans of each lane, cut to the regions.
using ByLane = std::map<std::uint32_t, std::vector<Span>>;
ByLane by_lane(const std::vector<Span>& spans, const std::vector<Region>& regions) {
  ByLane out;
  for (const Span& span : inside_regions(spans, regions)) out[span.lane].push_back(span);
  return out;
}

std::vector<Interval> bare(const std::vector<Span>& spans) {
  return {spans.begin(), spans.end()};
}

/// First and last event of a thread in each region; the whole region for the thread that opened it.
std::vector<Interval> time_of(const Timeline& t, std::uint32_t lane, const std::vector<const std::vector<Span>*>& all) {
  std::vector<Interval> out;
  for (const Region& r : t.regions) {
    if (r.lane == lane) {
      out.push_back(r);
      continue;
    }
    std::optional<Interval> seen;
    for (const auto* spans : all)
      for (const Span& s : *spans) {
        if (s.start < r.start || s.end > r.end) continue;
        seen = seen ? Interval{std::min(seen->start, s.start), std::max(seen->end, s.end)} : Interval{s.start, s.end};
      }
    if (seen && seen->length() > 0) out.push_back(*seen);
  }
  return out;
}

std::vector<LayerSegment> layers_of(const std::vector<Interval>& time, std::vector<Span> frames) {
  std::vector<Interval> all = time;
  std::vector<Category> category(time.size(), Category::app);
  std::ranges::stable_sort(frames, {}, &Span::start);
  for (const Span& frame : frames) {
    all.push_back(frame);
    category.push_back(frame.category);
  }
  std::vector<LayerSegment> out;
  for (const Segment& s : flatten(all)) {
    const Category layer = category[s.source];
    if (!out.empty() && out.back().end == s.start && out.back().layer == layer)
      out.back().end = s.end;
    else
      out.push_back({{s.start, s.end}, layer});
  }
  return out;
}

std::vector<OperationSegment> operations_of(const std::vector<Span>& spans) {
  std::vector<OperationSegment> out;
  for (const Segment& s : flatten(bare(spans))) out.push_back({{s.start, s.end}, spans[s.source].name});
  return out;
}

/// The operation of the one thread that has one, where it is one.
std::vector<OperationSegment> sole_operations(const std::vector<ThreadTime>& threads) {
  struct Change {
    std::int64_t at;
    int step;
    NameId operation;
  };
  std::vector<Change> changes;
  for (const ThreadTime& thread : threads)
    for (const OperationSegment& s : thread.operations) {
      changes.push_back({s.start, 1, s.operation});
      changes.push_back({s.end, -1, s.operation});
    }
  std::ranges::sort(changes, {}, [](const Change& c) { return std::tuple(c.at, c.step, c.operation); });
  std::vector<OperationSegment> out;
  int open = 0;
  std::uint64_t sum = 0;  // of the open operations: the open one, where it is one
  for (std::size_t i = 0; i < changes.size();) {
    const std::int64_t at = changes[i].at;
    for (; i < changes.size() && changes[i].at == at; ++i) {
      open += changes[i].step;
      sum += changes[i].step > 0 ? changes[i].operation : -std::uint64_t{changes[i].operation};
    }
    if (open == 1) out.push_back({{at, changes[i].at}, static_cast<NameId>(sum)});
  }
  return out;
}

/// The parts of segments inside the time of a thread.
std::vector<OperationSegment> within(const std::vector<OperationSegment>& segments, const std::vector<Interval>& time) {
  std::vector<OperationSegment> out;
  for (const OperationSegment& s : segments)
    for (const Interval& t : time)
      if (std::max(s.start, t.start) < std::min(s.end, t.end))
        out.push_back({{std::max(s.start, t.start), std::min(s.end, t.end)}, s.operation});
  return out;
}

std::vector<OperationSegment> filled(const std::vector<OperationSegment>& own,
                                     const std::vector<OperationSegment>& sole) {
  std::vector<OperationSegment> out = own;
  std::size_t next = 0;
  for (const OperationSegment& s : sole) {
    std::int64_t at = s.start;
    while (next < own.size() && own[next].end <= at) ++next;
    for (std::size_t i = next; at < s.end; ++i) {
      const std::int64_t until = i < own.size() ? std::min(own[i].start, s.end) : s.end;
      if (at < until) out.push_back({{at, until}, s.operation});
      if (i >= own.size()) break;
      at = std::max(at, own[i].end);
    }
  }
  std::ranges::sort(out, {}, [](const OperationSegment& s) { return s.start; });
  return out;
}

}  // namespace

NameId ThreadTime::operation_at(std::int64_t t) const {
  const auto* segment = segment_at(works_for, t);
  return segment == nullptr ? no_name : segment->operation;
}

std::vector<ThreadTime> thread_times(const Timeline& timeline) {
  ByLane operations = by_lane(timeline.operations, timeline.regions),
         layers = by_lane(timeline.layers, timeline.regions), calls = by_lane(timeline.calls, timeline.regions);
  std::vector<ThreadTime> out;
  std::vector<std::vector<Interval>> times;
  for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    if (timeline.lanes[lane].gpu) continue;
    std::vector<Interval> time = time_of(timeline, lane, {&operations[lane], &layers[lane], &calls[lane]});
    if (time.empty()) continue;
    std::vector<Span> frames = layers[lane];
    frames.insert(frames.end(), calls[lane].begin(), calls[lane].end());
    out.push_back({.lane = lane,
                   .operations = operations_of(operations[lane]),
                   .works_for = {},
                   .layers = layers_of(time, std::move(frames))});
    times.push_back(std::move(time));
  }
  const auto sole = sole_operations(out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].works_for = filled(out[i].operations, within(sole, times[i]));
  return out;
}

}  // namespace retrial::profiler::inline overlap
