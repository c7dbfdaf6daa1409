// The kernel's own clock of CPU time stands for a hardware counter, which most virtual machines lack: rusage is its
// peer.
#include "determinism/meter/instruction_counter.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/catch.hpp"

namespace retrial::tests::instruction_counter_tests {

using determinism::InstructionCounter;

namespace {

std::int64_t cpu_ns(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return usage.ru_utime.tv_sec * 1'000'000'000LL + usage.ru_utime.tv_usec * 1000LL;
}

/// Until this thread, or process, has used that much.
void spin(int who, std::int64_t ns) {
  const auto until = cpu_ns(who) + ns;
  while (cpu_ns(who) < until)
    for (int i = 0; i < 10'000; ++i) asm volatile("");
}

constexpr std::int64_t ms = 1'000'000;

}  // namespace

TEST_CASE("a counter has what its thread and all that begin after it have used", "[needs-perf]") {
  const InstructionCounter counter(InstructionCounter::Unit::task_clock);
  if (!counter.total()) {
    WARN("left out: the kernel gives no counters here");
    return;
  }
  spin(RUSAGE_THREAD, 40 * ms);
  const auto alone = counter.total().value();
  CHECK(alone >= 30 * ms);
  CHECK(counter.of_descendants().value() < 10 * ms);

  std::thread([] { spin(RUSAGE_THREAD, 40 * ms); }).join();
  const auto threads = counter.of_descendants().value();
  CHECK(threads >= 30 * ms);

  const pid_t child = fork();
  if (child == 0) {
    spin(RUSAGE_SELF, 40 * ms);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  CHECK(counter.of_descendants().value() >= threads + 30 * ms);
  CHECK(counter.total().value() >= alone + 60 * ms);
}

TEST_CASE("instructions are counted, or absent", "[needs-perf]") {
  const InstructionCounter counter;
  const auto before = counter.total();
  for (int i = 0; i < 100'000; ++i) asm volatile("nop; nop");
  const auto after = counter.total();
  CHECK(before.has_value() == after.has_value());
  if (!before) {
    WARN("left out: this machine gives no hardware counter to programs");
    return;
  }
  CHECK(*after - *before >= 200'000);  // two of ours in each turn, and those of the loop
}

}  // namespace retrial::tests::instruction_counter_tests
