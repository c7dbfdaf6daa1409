#include "workloads/profiler/collectors/collector.hpp"

#include <algorithm>

namespace retrial::profiler::inline collectors {
namespace {

std::vector<Collector>& offered() {
  static std::vector<Collector> all;
  return all;
}

}  // namespace

OfferCollector::OfferCollector(Collector collector) {
  offered().push_back(std::move(collector));
}

const Collector* collector_named(const std::string& name) {
  const auto found = std::ranges::find(offered(), name, &Collector::name);
  return found == offered().end() ? nullptr : &*found;
}

const std::vector<std::string>& collector_names() {
  static const std::vector<std::string> names{"native", "none", "kineto", "cupti"};
  return names;
}

std::vector<std::string> built_collectors() {
#ifdef RETRIAL_NO_TORCH
  return {"native", "none"};  // of workloads without LibTorch, which need none
#elif defined(RETRIAL_CUPTI)
  return collector_names();
#else
  return {"native", "none", "kineto"};
#endif
}

}  // namespace retrial::profiler::inline collectors
