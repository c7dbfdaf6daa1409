#include <torch/csrc/autograd/profiler_kineto.h>

#include <algorithm>

#include "workloads/profiler/collectors/collector.hpp"
#include "workloads/profiler/recording/recording.hpp"

namespace retrial::profiler::inline collectors {
namespace {

namespace kineto = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;

/// Of the thread that trains: LibTorch keeps its profiler for each thread.
std::uint64_t watched_thread = 0;

/// The calls of that thread in the order of their begin; of equal ones, the longer first.
std::vector<LayerInterval> calls_of(const kineto::ProfilerResult& result) {
  std::vector<LayerInterval> calls;
  for (const kineto::KinetoEvent& event : result.events())
    if (event.deviceType() == c10::DeviceType::CPU && event.startThreadId() == watched_thread)
      calls.push_back({.begin_ns = event.startNs(), .end_ns = event.endNs()});
  std::ranges::sort(calls, [](const LayerInterval& a, const LayerInterval& b) {
    return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
  });
  return calls;
}

/// Those that no other call made, with how many calls they made.
std::vector<LayerInterval> outermost(const std::vector<LayerInterval>& calls) {
  std::vector<LayerInterval> out;
  for (const LayerInterval& call : calls)
    if (!out.empty() && call.begin_ns < out.back().end_ns)
      ++out.back().inner;
    else
      out.push_back(call);
  return out;
}

void attach_kineto() {
  const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO);
  const std::set<ActivityType> activities{ActivityType::CPU};
  watched_thread = at::RecordFunction::currentThreadId();
  kineto::prepareProfiler(config, activities);
  kineto::enableProfiler(config, activities, {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION});
}

void detach_kineto() {
  const auto result = kineto::disableProfiler();
  record_layers(Category::backend, outermost(calls_of(*result)));
}

const OfferCollector offered_kineto({.name = "kineto", .attach = attach_kineto, .detach = detach_kineto});

}  // namespace
}  // namespace retrial::profiler::inline collectors
