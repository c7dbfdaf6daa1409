#include "workloads/profiler/recording/clock.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <limits>

#include "results/text/error.hpp"

namespace retrial::profiler::inline recording {

bool has_invariant_tsc() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
  return false;
#endif
}

ClockSource clock_source(const std::optional<std::string>& asked) {
  const bool invariant = has_invariant_tsc();
  if (!asked) return invariant ? ClockSource::tsc : ClockSource::monotonic;
  if (*asked == "monotonic") return ClockSource::monotonic;
  if (*asked != "tsc" || !invariant)
    throw Error(
        {.code = "profile.clock",
         .where = "--clock",
         .value = *asked,
         .problem = *asked == "tsc" ? "this CPU does not promise a constant time stamp counter" : "unknown clock",
         .allowed = invariant ? "tsc, monotonic" : "monotonic"});
  return ClockSource::tsc;
}

std::string name_of(ClockSource source) {
  return source == ClockSource::tsc ? "tsc" : "monotonic";
}

ClockPair read_clock_pair(ClockSource source) {
  constexpr int readings = 1001;
  ClockPair best;
  std::uint64_t narrowest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < readings; ++i) {
    const std::uint64_t before = ticks_of(source), ns = ns_of(CLOCK_REALTIME), after = ticks_of(source);
    if (after - before >= narrowest) continue;
    narrowest = after - before;
    best = {.ticks = before + narrowest / 2, .ns = ns};
  }
  return best;
}

void ClockMap::check() const {
  if (last.ticks > first.ticks && last.ns >= first.ns) return;
  throw Error({.exit = Exit::integrity,
               .code = "profile.clock_map",
               .field = "clock",
               .problem = "the clock did not grow between the two ends of the recording"});
}

namespace {

__extension__ using Wide = __int128;

Wide rounded_down(Wide product, Wide width) {
  return product >= 0 ? product / width : -((-product + width - 1) / width);
}

}  // namespace

std::int64_t ClockMap::ns(std::uint64_t ticks) const {
  const Wide product = (Wide(ticks) - first.ticks) * (Wide(last.ns) - first.ns);
  return static_cast<std::int64_t>(Wide(first.ns) + rounded_down(product, Wide(last.ticks) - first.ticks));
}

std::uint64_t ClockMap::ticks(std::int64_t ns) const {
  if (last.ns == first.ns) return first.ticks;
  const Wide product = (Wide(ns) - first.ns) * (Wide(last.ticks) - first.ticks);
  return static_cast<std::uint64_t>(Wide(first.ticks) + rounded_down(product, Wide(last.ns) - first.ns));
}

}  // namespace retrial::profiler::inline recording
