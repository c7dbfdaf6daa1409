#include "workloads/profiler/analysis/launches.hpp"

#include <algorithm>
#include <vector>

#include "workloads/profiler/overlap/gpu.hpp"

namespace retrial::profiler::inline analysis {

std::map<std::string, LaunchStatistics> launch_statistics(const Timeline& timeline) {
  constexpr std::uint64_t slow_call_ns = 50'000;
  constexpr std::int64_t slow_start_ns = 100'000;
  const Launches launches(timeline);
  std::map<std::string, LaunchStatistics> out;
  for (const Span& work : timeline.gpu) {
    const Span* const call = launches.call_of(work);
    if (call == nullptr) continue;
    LaunchStatistics& s = out[timeline.name(call->name)];
    const std::int64_t delay = work.start - call->end;
    ++s.launches;
    s.call_ns += call->length();
    s.work_ns += work.length();
    s.delay_ns += delay;
    s.short_work += work.length() < call->length() ? 1 : 0;
    s.slow_calls += call->length() > slow_call_ns ? 1 : 0;
    s.slow_starts += delay > slow_start_ns ? 1 : 0;
  }
  return out;
}

std::map<std::uint32_t, std::uint64_t> longest_queues(const Timeline& timeline) {
  const Launches launches(timeline);
  std::map<std::uint32_t, std::vector<std::pair<std::int64_t, int>>> changes;  // an end before a launch at one time
  for (const Span& work : timeline.gpu)
    if (const Span* call = launches.call_of(work); call != nullptr) {
      changes[work.lane].emplace_back(call->end, 1);
      changes[work.lane].emplace_back(std::max(work.end, call->end), -1);
    }
  std::map<std::uint32_t, std::uint64_t> out;
  for (auto& [lane, of_lane] : changes) {
    std::ranges::sort(of_lane);
    std::int64_t queue = 0, longest = 0;
    for (const auto& [at, step] : of_lane) longest = std::max(longest, queue += step);
    out[lane] = static_cast<std::uint64_t>(longest);
  }
  return out;
}

}  // namespace retrial::profiler::inline analysis
