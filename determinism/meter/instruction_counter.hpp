#pragma once

#include <cstdint>
#include <optional>

namespace retrial::determinism::inline meter {

/// Instructions in user space, as a hardware counter of the CPU counts them (perf_event_open): for free, and without a
/// right as long as perf_event_paranoid is at most 2. Most virtual machines have none; then nothing is counted. Counts
/// repeat to some parts in a million, unlike times: interrupts and page faults are in them.
class InstructionCounter {
 public:
  /// task_clock counts nanoseconds of CPU time by the kernel itself, which is there on every machine: for tests.
  enum class Unit { instructions, task_clock };
  /// Counts from now on.
  explicit InstructionCounter(Unit unit = Unit::instructions);
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;

  /// Of this thread, and of all threads and processes that it or they have started since. Absent without a counter, and
  /// where the kernel shared it with others and counted only part of the time.
  [[nodiscard]] std::optional<std::int64_t> total() const;
  /// The same without this thread.
  [[nodiscard]] std::optional<std::int64_t> of_descendants() const;

 private:
  int all_ = -1, own_ = -1;  ///< descriptors; -1: there is no counter
};

}  // namespace retrial::determinism::inline meter
