#include "workloads/profiler/overlap/flatten.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace retrial::profiler::inline overlap {
namespace {

struct Open {
  Interval interval;
  std::size_t source;
};
/// The innermost is on top: it ends first, started last, was opened last.
struct Outer {
  bool operator()(const Open& a, const Open& b) const {
    return std::tuple(a.interval.end, -a.interval.start, ~a.source) >
           std::tuple(b.interval.end, -b.interval.start, ~b.source);
  }
};

void emit(std::vector<Segment>& out, std::int64_t start, std::int64_t end, std::size_t source) {
  if (start >= end) return;
  if (!out.empty() && out.back().source == source && out.back().end == start)
    out.back().end = end;
  else
    out.push_back({{start, end}, source});
}

}  // namespace

std::vector<Segment> flatten(std::span<const Interval> intervals) {
  std::vector<Open> input;
  for (std::size_t i = 0; i < intervals.size(); ++i)
    if (intervals[i].start < intervals[i].end) input.push_back({intervals[i], i});
  std::ranges::sort(input, {}, [](const Open& o) { return std::tuple(o.interval.start, -o.interval.end, o.source); });

  std::vector<Segment> out;
  std::priority_queue<Open, std::vector<Open>, Outer> open;
  std::int64_t last = 0;
  for (std::size_t next = 0; next < input.size() || !open.empty();) {
    if (next < input.size() && (open.empty() || input[next].interval.start < open.top().interval.end)) {
      if (!open.empty()) emit(out, last, input[next].interval.start, open.top().source);
      last = input[next].interval.start;
      open.push(input[next++]);
      continue;
    }
    emit(out, last, open.top().interval.end, open.top().source);
    last = open.top().interval.end;
    open.pop();
  }
  return out;
}

}  // namespace retrial::profiler::inline overlap
