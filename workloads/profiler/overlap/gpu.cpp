#include "workloads/profiler/overlap/gpu.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "workloads/profiler/overlap/sweep.hpp"
#include "workloads/profiler/overlap/table.hpp"

namespace retrial::profiler::inline overlap {

Launches::Launches(const Timeline& timeline) {
  for (const Span& call : timeline.calls)
    if (call.id != 0) calls_.emplace(call.id, &call);
}

const Span* Launches::call_of(const Span& gpu) const {
  const auto found = calls_.find(gpu.id);
  return found == calls_.end() ? nullptr : found->second;
}

bool GpuTime::asynchronous() const {
  const auto [less, more] = std::minmax(by_overlap, by_correlation);
  return (more - less) * 20 > more;
}

std::map<std::string, GpuTime> gpu_by_operation(const Timeline& timeline, const std::vector<ThreadTime>& threads) {
  std::map<std::string, GpuTime> out;
  for (const auto& [operation, resources] : resources_by_operation(table_of(timeline, threads)))
    if (resources.gpu() > 0) out[operation].by_overlap = resources.gpu();
  const Launches launches(timeline);
  std::map<std::string, std::vector<Interval>> launched;
  for (const Span& gpu : inside_regions(timeline.gpu, timeline.regions)) {
    NameId operation = gpu.operation;
    if (const Span* call = launches.call_of(gpu); operation == no_name && call != nullptr) {
      const auto thread = std::ranges::find(threads, call->lane, &ThreadTime::lane);
      if (thread != threads.end()) operation = thread->operation_at(call->start);
    }
    launched[timeline.name(operation)].push_back(gpu);
  }
  for (auto& [operation, intervals] : launched) out[operation].by_correlation = measure(std::move(intervals));
  return out;
}

double true_busy(const std::vector<Interval>& kernels, const std::vector<Interval>& regions) {
  std::uint64_t busy = 0, all = 0;
  const std::vector<Interval> whole = united(kernels);
  for (const Interval& region : regions) {
    all += region.length();
    for (const Interval& k : whole)
      busy += Interval{std::max(k.start, region.start), std::min(k.end, region.end)}.length();
  }
  return all == 0 ? 0 : static_cast<double>(busy) / static_cast<double>(all);
}

double sampled_utilization(const std::vector<Interval>& kernels, const std::vector<Interval>& regions,
                           std::int64_t period_ns) {
  if (period_ns <= 0)
    throw Error({.code = "profile.polling_interval",
                 .where = "--polling-interval",
                 .value = std::to_string(period_ns),
                 .problem = "out of range",
                 .allowed = "1 ns and more"});
  std::uint64_t bins = 0, hit = 0;
  const std::vector<Interval> whole = united(kernels);
  for (const Interval& region : regions) {
    const auto length = static_cast<std::int64_t>(region.length());
    bins += static_cast<std::uint64_t>(length / period_ns + (length % period_ns != 0 ? 1 : 0));
    std::int64_t next = 0;  // the first bin that is not counted yet
    for (const Interval& k : whole) {
      const std::int64_t start = std::max(k.start, region.start) - region.start,
                         end = std::min(k.end, region.end) - region.start;
      if (start >= end) continue;
      const std::int64_t first = std::max(next, start / period_ns), after = (end - 1) / period_ns + 1;
      if (after > first) hit += static_cast<std::uint64_t>(after - first);
      next = std::max(next, after);
    }
  }
  return bins == 0 ? 0 : static_cast<double>(hit) / static_cast<double>(bins);
}

std::vector<Interval> kernels_of(const Timeline& timeline) {
  std::vector<Interval> out;
  for (const Span& s : timeline.gpu)
    if (s.category == Category::gpu_kernel) out.push_back(s);
  return out;
}

std::vector<Interval> intervals_of(const std::vector<Region>& regions) {
  return {regions.begin(), regions.end()};
}

}  // namespace retrial::profiler::inline overlap
