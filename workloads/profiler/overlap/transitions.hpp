#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workloads/profiler/overlap/threads.hpp"

namespace retrial::profiler::inline overlap {

/// A change of the active layer of a thread, while an operation was active.
struct Transition {
  std::string operation;
  Category from = Category::app, to = Category::app;

  auto operator<=>(const Transition&) const = default;
};
using Transitions = std::map<Transition, std::uint64_t>;

[[nodiscard]] Transitions transitions(const Timeline& timeline, const std::vector<ThreadTime>& threads);

/// Of every operation and all layers, in each iteration: between two marks of progress of one thread, and from the
/// begin of the region to the first.
[[nodiscard]] std::vector<std::uint64_t> transitions_by_iteration(const Timeline& timeline,
                                                                  const std::vector<ThreadTime>& threads);

/// How often something was annotated: what its cost is charged for.
struct EventCounts {
  std::uint64_t annotations = 0;               ///< operations begun below this one; the outermost charge themselves
  std::map<Category, std::uint64_t> hooks;     ///< layers entered, inner calls counted too
  std::map<Category, std::uint64_t> inner;     ///< the inner calls among them, whose cost falls into the layer
  std::map<std::string, std::uint64_t> calls;  ///< intercepted calls of the API, by name
  std::uint64_t overhead_ns = 0;               ///< measured directly by CUPTI

  bool operator==(const EventCounts&) const = default;
};
/// By phase and operation. Events of length 0 count as well.
[[nodiscard]] std::map<std::pair<std::string, std::string>, EventCounts> event_counts(
    const Timeline& timeline, const std::vector<ThreadTime>& threads);

}  // namespace retrial::profiler::inline overlap
