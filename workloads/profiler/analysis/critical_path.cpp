#include "workloads/profiler/analysis/critical_path.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "workloads/profiler/overlap/flatten.hpp"

namespace retrial::profiler::inline analysis {
namespace {

using Kind = PathStep::Kind;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// A stretch of work. Its two ends are nodes 2 i and 2 i + 1 of the graph.
struct Work : Interval {
  bool gpu = false;
  NameId name = no_name;
  std::uint64_t correlation = 0;
  std::size_t span = 0;  ///< interval that this is a part of
  bool waits = false;    ///< a call that synchronizes: its own length is not work
};

struct Edge {
  std::size_t from = 0;
  std::uint64_t weight = 0;
  Kind kind = Kind::cpu;
};

bool synchronizes(const std::string& call) {
  return call.find("Synchronize") != std::string::npos;
}

class Graph {
 public:
  explicit Graph(const Timeline& timeline) : timeline_(timeline) {
    for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane)
      if (!timeline.lanes[lane].gpu) add_thread(lane);
    for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane)
      if (timeline.lanes[lane].gpu) add_stream(lane);
    into_.resize(2 * work_.size());
    for (const auto& [to, edge] : between_) into_[to].push_back(edge);
    add_waits();
    for (std::size_t i = 0; i < work_.size(); ++i)
      into_[2 * i + 1].push_back({2 * i, work_[i].waits ? 0 : work_[i].length(), work_[i].gpu ? Kind::gpu : Kind::cpu});
  }

  CriticalPath longest() const {
    std::vector<std::uint64_t> reach(into_.size());
    std::vector<Edge> by(into_.size(), Edge{nowhere, 0, Kind::cpu});
    std::size_t last = nowhere;
    for (const std::size_t node : in_order()) {
      for (const Edge& edge : into_[node]) {
        const std::uint64_t length = reach[edge.from] + edge.weight;
        if (by[node].from == nowhere || length > reach[node]) reach[node] = length, by[node] = edge;
      }
      if (last == nowhere || reach[node] > reach[last]) last = node;
    }
    return path_to(last, by);
  }

 private:
  /// The innermost interval of each instant, in order.
  void add_thread(std::uint32_t lane) {
    std::vector<Span> spans;
    for (const auto* kind : {&timeline_.operations, &timeline_.layers, &timeline_.calls})
      for (const Span& s : inside_regions(*kind, timeline_.regions))
        if (s.lane == lane) spans.push_back(s);
    std::ranges::stable_sort(spans, {}, [](const Span& s) { return std::pair(s.start, -s.end); });
    std::size_t before = nowhere;
    for (const Segment& segment : flatten(std::vector<Interval>(spans.begin(), spans.end()))) {
      const Span& s = spans[segment.source];
      const bool call = s.category == Category::cuda_api;
      work_.push_back(
          {segment, false, s.name, call ? s.id : 0, segment.source, call && synchronizes(timeline_.name(s.name))});
      const std::size_t here = work_.size() - 1;
      if (call && s.id != 0) launched_by_.try_emplace(s.id, here);
      if (before != nowhere) between_.emplace_back(2 * here, Edge{2 * before + 1, 0, Kind::cpu});
      before = here;
    }
  }

  void add_stream(std::uint32_t lane) {
    std::size_t before = nowhere;
    for (const Span& s : inside_regions(timeline_.gpu, timeline_.regions)) {
      if (s.lane != lane || (before != nowhere && s.start < work_[before].end)) continue;
      work_.push_back({s, true, s.name, s.id});
      const std::size_t here = work_.size() - 1;
      const auto launch = launched_by_.find(s.id);
      const Work* const call = launch == launched_by_.end() ? nullptr : &work_[launch->second];
      const bool empty = before == nowhere || (call != nullptr && call->start >= work_[before].end);
      if (empty && call != nullptr && call->start <= s.start)
        between_.emplace_back(
            2 * here, Edge{2 * launch->second, static_cast<std::uint64_t>(s.start - call->start), Kind::launch_delay});
      else if (!empty)
        between_.emplace_back(2 * here, Edge{2 * before + 1, static_cast<std::uint64_t>(s.start - work_[before].end),
                                             Kind::kernel_delay});
      before = here;
    }
  }

  /// A call that synchronizes ends after the last work that ended during it; without any it did not wait.
  void add_waits() {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < work_.size(); ++i)
      if (work_[i].gpu) ends.push_back(i);
    std::ranges::sort(ends, {}, [&](std::size_t i) { return work_[i].end; });
    for (std::size_t i = 0; i < work_.size(); ++i) {
      if (!work_[i].waits) continue;
      const auto after = std::ranges::upper_bound(ends, work_[i].end, {}, [&](std::size_t g) { return work_[g].end; });
      work_[i].waits = after != ends.begin() && work_[*(after - 1)].end > work_[i].start;
      if (work_[i].waits) into_[2 * i + 1].push_back({2 * *(after - 1) + 1, 0, Kind::gpu});
    }
  }

  /// In the order of time. Of ends at one time those of a GPU come first, of begins those of a CPU: what depends on the
  /// other comes after it.
  [[nodiscard]] std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> nodes(into_.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = i;
    std::ranges::sort(nodes, {}, [&](std::size_t node) {
      const Work& w = work_[node / 2];
      const bool begin = node % 2 == 0;
      return std::tuple(begin ? w.start : w.end, begin, w.gpu == begin, node);
    });
    return nodes;
  }

  CriticalPath path_to(std::size_t node, const std::vector<Edge>& by) const {
    CriticalPath out;
    for (; node != nowhere && by[node].from != nowhere; node = by[node].from) {
      const Edge& edge = by[node];
      if (edge.weight == 0) continue;
      const Work &from = work_[edge.from / 2], &to = work_[node / 2];
      PathStep step;
      step.start = edge.from % 2 == 0 ? from.start : from.end;
      step.end = node % 2 == 0 ? to.start : to.end;
      step.kind = edge.kind;
      step.name = timeline_.name(to.name);
      (edge.kind == Kind::cpu ? out.cpu_ns : edge.kind == Kind::gpu ? out.gpu_ns : out.delay_ns) += edge.weight;
      out.steps.push_back(std::move(step));
    }
    std::ranges::reverse(out.steps);
    return out;
  }

  const Timeline& timeline_;
  std::vector<Work> work_;
  std::unordered_map<std::uint64_t, std::size_t> launched_by_;
  std::vector<std::pair<std::size_t, Edge>> between_;
  std::vector<std::vector<Edge>> into_;
};

}  // namespace

CriticalPath critical_path(const Timeline& timeline) {
  return Graph(timeline).longest();
}

}  // namespace retrial::profiler::inline analysis
