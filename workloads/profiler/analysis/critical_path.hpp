#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::profiler::inline analysis {

/// One stretch of the path.
struct PathStep : Interval {
  enum class Kind { cpu, gpu, launch_delay, kernel_delay } kind = Kind::cpu;
  std::string name;
};

/// The longest chain of work and delays of which each waited for the one before: shorten anything else, and the
/// training takes as long as before. Work of a thread follows in its order; work of a stream follows its launch where
/// the stream was empty, else the work before it; a call that synchronizes follows the work that ended during it.
struct CriticalPath {
  std::vector<PathStep> steps;
  std::uint64_t cpu_ns = 0, gpu_ns = 0, delay_ns = 0;

  [[nodiscard]] std::uint64_t length() const { return cpu_ns + gpu_ns + delay_ns; }
};
[[nodiscard]] CriticalPath critical_path(const Timeline& timeline);

}  // namespace retrial::profiler::inline analysis
