#pragma once

#include <string>
#include <vector>

namespace retrial::profiler::inline collectors {

/// What intercepts the calls of a library and opens a layer for each, from attach to detach.
struct Collector {
  std::string name;
  void (*attach)() = nullptr;
  void (*detach)() = nullptr;
  std::string (*about)() = nullptr;  ///< after attach: what it can see; null: nothing to say
};

/// The library offers its collectors when it is linked: the program itself knows of no library.
struct OfferCollector {
  explicit OfferCollector(Collector collector);
};
/// Null in a program without it.
[[nodiscard]] const Collector* collector_named(const std::string& name);

/// What a profile study may ask for: "native" is LibTorch's hook of each call, "kineto" its own profiler, "cupti" the
/// hook and CUPTI, "none" none of them.
[[nodiscard]] const std::vector<std::string>& collector_names();
/// Those whose workers this program was built with.
[[nodiscard]] std::vector<std::string> built_collectors();

}  // namespace retrial::profiler::inline collectors
