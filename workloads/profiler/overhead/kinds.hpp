#pragma once

#include <string>

#include "workloads/profiler/recording/event.hpp"

namespace retrial::profiler::inline overhead {

/// Names of the kinds of cost.
inline const std::string annotation_kind = "annotation";
[[nodiscard]] inline std::string hook_kind(Category layer) {
  return "hook:" + std::string(name_of(layer));
}

}  // namespace retrial::profiler::inline overhead
