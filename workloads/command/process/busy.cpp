#include "workloads/command/process/busy.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace retrial::workloads::command::inline process {

namespace {

double cpu_now() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void turn(std::uint64_t turns) {
  volatile std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < turns; ++i) at = at + i;
}

/// Turns in a second of CPU time, from the fastest of three loops of about 2 ms: an interruption only makes one slower.
double turns_per_second() {
  std::uint64_t turns = 1 << 16;
  double best = 0;
  for (int measured = 0; measured < 3;) {
    const double start = cpu_now();
    turn(turns);
    const double took = cpu_now() - start;
    if (took < 0.002 && turns < (std::uint64_t{1} << 40)) {
      turns *= 2;
      continue;
    }
    best = std::max(best, static_cast<double>(turns) / took);
    ++measured;
  }
  return best;
}

}  // namespace

Work busy_work(double cpu_seconds) {
  const auto turns = static_cast<std::uint64_t>(std::max(0.0, cpu_seconds) * turns_per_second());
  const double cpu = cpu_now();
  const auto start = std::chrono::steady_clock::now();
  turn(turns);
  return {.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          .cpu_s = cpu_now() - cpu};
}

}  // namespace retrial::workloads::command::inline process
