#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif
#include <ctime>

namespace retrial::profiler::inline recording {

enum class ClockSource { tsc, monotonic };

/// Whether the CPU says that its time stamp counter neither stops nor changes its rate. A virtual machine may hide
/// that.
[[nodiscard]] bool has_invariant_tsc();
/// The counter where it is invariant, else CLOCK_MONOTONIC. Error{usage} for "tsc" on a CPU that does not promise it.
[[nodiscard]] ClockSource clock_source(const std::optional<std::string>& asked);
[[nodiscard]] std::string name_of(ClockSource source);

[[nodiscard]] inline std::uint64_t ns_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

[[nodiscard]] inline std::uint64_t ticks_of(ClockSource source) {
#if defined(__x86_64__)
  if (source == ClockSource::tsc) return __rdtsc();
#endif
  return ns_of(CLOCK_MONOTONIC);
}

/// One reading of both clocks.
struct ClockPair {
  std::uint64_t ticks = 0, ns = 0;
};
/// Of 1001 readings of CLOCK_REALTIME between two of the counter, the one with the narrowest bracket.
[[nodiscard]] ClockPair read_clock_pair(ClockSource source);

/// The straight line through the pairs at both ends of a recording, in integers.
struct ClockMap {
  ClockPair first, last;

  /// Monotone. Error{integrity} where the pairs do not grow.
  void check() const;
  [[nodiscard]] std::int64_t ns(std::uint64_t ticks) const;
  /// The inverse, rounded down.
  [[nodiscard]] std::uint64_t ticks(std::int64_t ns) const;
};

}  // namespace retrial::profiler::inline recording
