#include "determinism/meter/instruction_counter.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace retrial::determinism::inline meter {
namespace {

/// A counter of the calling thread on any CPU; -1 where the kernel has none for us.
int opened(InstructionCounter::Unit unit, bool descendants) {
  perf_event_attr what{};
  what.size = sizeof what;
  const bool hardware = unit == InstructionCounter::Unit::instructions;
  what.type = hardware ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
  what.config = hardware ? std::uint64_t{PERF_COUNT_HW_INSTRUCTIONS} : std::uint64_t{PERF_COUNT_SW_TASK_CLOCK};
  what.exclude_kernel = 1;  // without it paranoid = 2 refuses
  what.exclude_hv = 1;
  what.inherit = descendants ? 1 : 0;
  what.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::optional<std::int64_t> count_of(int descriptor) {
  struct {
    std::uint64_t count, enabled_ns, running_ns;
  } read{};
  if (descriptor < 0 || ::read(descriptor, &read, sizeof read) != static_cast<ssize_t>(sizeof read)) return {};
  if (read.running_ns == 0 || read.running_ns != read.enabled_ns) return {};
  return static_cast<std::int64_t>(read.count);
}

}  // namespace

InstructionCounter::InstructionCounter(Unit unit) : all_(opened(unit, true)), own_(opened(unit, false)) {}

InstructionCounter::~InstructionCounter() {
  for (const int descriptor : {all_, own_})
    if (descriptor >= 0) ::close(descriptor);
}

std::optional<std::int64_t> InstructionCounter::total() const {
  return count_of(all_);
}

std::optional<std::int64_t> InstructionCounter::of_descendants() const {
  const auto own = count_of(own_), all = count_of(all_);  // in this order the difference is not negative
  if (!own || !all) return {};
  return *all - *own;
}

}  // namespace retrial::determinism::inline meter
