#pragma once

namespace retrial::workloads::command::inline process {

/// What some work took.
struct Work {
  double wall_s = 0, cpu_s = 0;
};

/// Keeps the CPU busy with the turns of a loop that take this much CPU time, and measures them. Their number is fixed
/// before the work begins: on a machine with busy neighbors it takes longer, as any other work does.
[[nodiscard]] Work busy_work(double cpu_seconds);

}  // namespace retrial::workloads::command::inline process
