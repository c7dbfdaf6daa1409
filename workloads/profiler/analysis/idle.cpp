#include "workloads/profiler/analysis/idle.hpp"

#include <algorithm>

#include "workloads/profiler/overlap/gpu.hpp"
#include "workloads/profiler/overlap/sweep.hpp"

namespace retrial::profiler::inline analysis {
namespace {

/// Kernels of collective communication are named after its library.
bool communicates(const Timeline& t, const Span& s) {
  const std::string name = t.name(s.name);
  return s.category == Category::gpu_kernel && (name.starts_with("nccl") || name.starts_with("rccl"));
}

}  // namespace

Breakdown gpu_breakdown(const Timeline& timeline) {
  Breakdown out{.span = timeline.wall()};
  std::vector<Interval> all, compute, communication;
  for (const Span& s : inside_regions(timeline.gpu, timeline.regions)) {
    all.push_back(s);
    if (communicates(timeline, s))
      communication.push_back(s);
    else if (s.category == Category::gpu_kernel)
      compute.push_back(s);
  }
  out.busy = measure(all);
  out.compute = measure(compute);
  out.communication = measure(communication);
  const std::uint64_t either = [&] {
    compute.insert(compute.end(), communication.begin(), communication.end());
    return measure(compute);
  }();
  out.hidden_communication = out.compute + out.communication - either;
  return out;
}

std::vector<IdleCauses> idle_causes(const Timeline& timeline, std::int64_t kernel_gap_ns) {
  const Launches launches(timeline);
  std::vector<IdleCauses> out;
  for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    if (!timeline.lanes[lane].gpu) continue;
    IdleCauses causes{.lane = lane};
    std::int64_t busy_until = 0;
    bool any = false;
    for (const Span& s : inside_regions(timeline.gpu, timeline.regions)) {
      if (s.lane != lane) continue;
      if (any && s.start > busy_until) {
        const auto gap = static_cast<std::uint64_t>(s.start - busy_until);
        const Span* const call = launches.call_of(s);
        if (call != nullptr && call->start > busy_until)
          causes.host_wait += gap;
        else if (s.start - busy_until < kernel_gap_ns)
          causes.kernel_wait += gap;
        else
          causes.other += gap;
      }
      busy_until = any ? std::max(busy_until, s.end) : s.end;
      any = true;
    }
    if (any) out.push_back(causes);
  }
  return out;
}

}  // namespace retrial::profiler::inline analysis
