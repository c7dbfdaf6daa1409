#pragma once

#include <string>

namespace retrial::profiler::inline collectors {

/// What intercepts the calls of a library and opens a layer for each, from attach to detach.
struct Collector {
  std::string name;
  void (*attach)() = nullptr;
  void (*detach)() = nullptr;
};

/// The library offers its collector when it is linked: the program itself knows of no library.
struct OfferCollector {
  explicit OfferCollector(Collector collector);
};
/// Null in a program without such a library.
[[nodiscard]] const Collector* offered_collector();

}  // namespace retrial::profiler::inline collectors
