#include "workloads/profiler/timeline/timeline.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "results/text/error.hpp"

namespace retrial::profiler::inline timeline {
namespace {

std::int64_t least_end(const Timeline& t) {
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  for (const auto* spans : {&t.operations, &t.layers, &t.calls, &t.gpu, &t.overhead})
    for (const Span& s : *spans) end = std::max(end, s.end);
  for (const Mark& m : t.progress) end = std::max(end, m.at);
  return end;
}

/// The intervals of one lane, from its events in the order of recording.
class LaneReader {
 public:
  LaneReader(Timeline& to, std::uint32_t lane) : to_(to), lane_(lane) {}

  void read(const Event& e, std::int64_t at) {
    switch (e.kind) {
      case EventKind::operation_begin:
        return open(operations_, to_.operations, e, at);
      case EventKind::operation_end:
        return close(operations_, to_.operations, e, at);
      case EventKind::layer_begin:
        return open(layers_, to_.layers, e, at);
      case EventKind::layer_end:
        return close(layers_, to_.layers, e, at);
      case EventKind::gpu_begin:
        return open(gpu_, to_.gpu, e, at);
      case EventKind::gpu_end:
        return close(gpu_, to_.gpu, e, at);
      case EventKind::api_begin:
        return open(calls_, to_.calls, e, at);
      case EventKind::api_end:
        return close(calls_, to_.calls, e, at);
      case EventKind::overhead_begin:
        return open(overhead_, to_.overhead, e, at);
      case EventKind::overhead_end:
        return close(overhead_, to_.overhead, e, at);
      case EventKind::progress:
        to_.progress.push_back({.at = at, .name = e.name, .lane = lane_, .value = e.arg});
        return;
      case EventKind::counter:
      case EventKind::flow:
        return;
    }
  }

  void close_at(std::int64_t end) {
    close_all(operations_, to_.operations, end);
    close_all(layers_, to_.layers, end);
    close_all(gpu_, to_.gpu, end);
    close_all(calls_, to_.calls, end);
    close_all(overhead_, to_.overhead, end);
  }

 private:
  using Stack = std::vector<std::size_t>;

  void open(Stack& stack, std::vector<Span>& spans, const Event& e, std::int64_t at) {
    Span span{{at, at}, e.name, lane_, e.category};
    if (e.kind == EventKind::operation_begin)
      span.adopted = e.arg == 1;
    else if (e.kind == EventKind::gpu_begin || e.kind == EventKind::api_begin)
      span.id = e.arg;
    stack.push_back(spans.size());
    spans.push_back(span);
  }

  void close(Stack& stack, std::vector<Span>& spans, const Event& e, std::int64_t at) {
    if (stack.empty() || spans[stack.back()].name != e.name || at < spans[stack.back()].start) {
      const std::string begin = stack.empty() ? "no begin"
                                              : "'" + to_.name(spans[stack.back()].name) + "' at " +
                                                    std::to_string(spans[stack.back()].start) + " ns";
      throw Error({.exit = Exit::integrity,
                   .code = "profile.events",
                   .where = to_.lanes[lane_].name,
                   .field = to_.name(e.name),
                   .value = std::to_string(at) + " ns",
                   .problem = "this end fits no begin; the innermost open one is " + begin});
    }
    Span& span = spans[stack.back()];
    stack.pop_back();
    span.end = at;
    if (e.kind == EventKind::layer_end) span.id = e.arg;
    if (e.kind == EventKind::gpu_end) span.operation = static_cast<NameId>(e.arg);
  }

  void close_all(Stack& stack, std::vector<Span>& spans, std::int64_t end) {
    for (; !stack.empty(); stack.pop_back()) {
      spans[stack.back()].end = std::max(end, spans[stack.back()].start);
      spans[stack.back()].open = true;
      ++to_.faults.open;
    }
  }

  Timeline& to_;
  std::uint32_t lane_;
  Stack operations_, layers_, gpu_, calls_, overhead_;
};

void sort_by_start(std::vector<Span>& spans) {
  std::ranges::stable_sort(spans, {}, &Span::start);
}

std::uint32_t lane_number(const Recording& recording, std::uint16_t cpu_lane) {
  for (std::uint32_t i = 0; i < recording.lanes.size(); ++i)
    if (!recording.lanes[i].gpu && recording.lanes[i].lane == cpu_lane) return i;
  return 0;
}

}  // namespace

std::uint64_t Timeline::wall() const {
  std::uint64_t sum = 0;
  for (const Region& r : regions) sum += r.length();
  return sum;
}

void demand_regions(Timeline& t) {
  if (!t.regions.empty()) return;
  std::optional<std::int64_t> begin;
  for (const auto* spans : {&t.operations, &t.layers, &t.calls, &t.gpu})
    for (const Span& s : *spans) begin = std::min(begin.value_or(s.start), s.start);
  if (begin) t.regions.push_back({{*begin, least_end(t)}, "whole trace", no_lane});
}

std::uint64_t clipped_operations(const Timeline& t) {
  std::uint64_t count = 0;
  for (const Span& s : t.operations)
    count += std::ranges::any_of(t.regions, [&](const Region& r) {
      return s.start < r.end && s.end > r.start && (s.start < r.start || s.end > r.end);
    });
  return count;
}

std::vector<Span> inside_regions(const std::vector<Span>& spans, const std::vector<Region>& regions) {
  std::vector<Span> out;
  for (const Span& span : spans)
    for (const Region& r : regions) {
      Span part = span;
      part.start = std::max(span.start, r.start);
      part.end = std::min(span.end, r.end);
      if (part.length() > 0) out.push_back(part);
    }
  return out;
}

Timeline timeline_of(const Recording& recording) {
  recording.clock.check();
  Timeline out{.host = recording.host,
               .process = recording.process,
               .collector = recording.collector,
               .clock = name_of(recording.source),
               .metadata = recording.metadata,
               .names = recording.names};
  out.faults.dropped = recording.dropped();
  out.faults.salvaged = recording.salvaged;
  const std::int64_t origin =
      recording.clock.ns(recording.regions.empty() ? recording.clock.first.ticks : recording.regions.front().begin);
  for (const RecordedRegion& r : recording.regions)
    out.regions.push_back({{recording.clock.ns(r.begin) - origin, recording.clock.ns(r.end) - origin},
                           r.phase,
                           lane_number(recording, r.lane)});
  std::vector<LaneReader> readers;
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  for (const RecordedLane& lane : recording.lanes) {
    out.lanes.push_back({.gpu = lane.gpu,
                         .name = lane.name,
                         .group = lane.gpu ? lane.lane / 256 : 0,
                         .number = lane.gpu ? lane.lane % 256 : lane.lane});
    readers.emplace_back(out, static_cast<std::uint32_t>(out.lanes.size() - 1));
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const Event& e : lane.events) {
      std::int64_t at = lane.gpu ? static_cast<std::int64_t>(e.t) - origin : recording.clock.ns(e.t) - origin;
      if (at < last && !lane.gpu) {
        at = last;
        ++out.faults.clamped;
      }
      last = std::max(last, at);
      readers.back().read(e, at);
    }
    end = std::max(end, last);
  }
  for (LaneReader& reader : readers) reader.close_at(end);
  for (auto* spans : {&out.operations, &out.layers, &out.calls, &out.gpu, &out.overhead}) sort_by_start(*spans);
  std::ranges::stable_sort(out.progress, {}, &Mark::at);
  demand_regions(out);
  out.faults.clipped = clipped_operations(out);
  return out;
}

}  // namespace retrial::profiler::inline timeline
