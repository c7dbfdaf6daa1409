// Work of a known size: its CPU time is what was asked for, whatever else runs.
#include "workloads/command/process/busy.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::busy_tests {

using namespace retrial::workloads::command;

TEST_CASE("busy work takes about the CPU time that was asked for", "[command]") {
  CHECK(busy_work(0.0).cpu_s < 0.005);
  const Work work = busy_work(0.05);
  CHECK(work.cpu_s > 0.01);  // the speed of a CPU moves between its calibration and the work
  CHECK(work.cpu_s < 0.5);
  CHECK(work.wall_s >= 0.9 * work.cpu_s);
}

}  // namespace retrial::tests::busy_tests
