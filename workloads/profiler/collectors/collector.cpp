#include "workloads/profiler/collectors/collector.hpp"

#include <optional>

namespace retrial::profiler::inline collectors {
namespace {

std::optional<Collector>& place() {
  static std::optional<Collector> collector;
  return collector;
}

}  // namespace

OfferCollector::OfferCollector(Collector collector) {
  place() = std::move(collector);
}

const Collector* offered_collector() {
  return place() ? &*place() : nullptr;
}

}  // namespace retrial::profiler::inline collectors
