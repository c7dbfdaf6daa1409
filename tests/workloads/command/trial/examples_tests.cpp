// The programs of examples/ do what their page says: a number per seed, the same again, another for another seed.
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"
#include "workloads/command/process/process.hpp"

namespace retrial::tests::examples_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

double measured(const std::string& command, const std::string& metric, std::uint64_t pair) {
  const auto trial = trial_of(
      "command", {{"command", command}, {"read", metric}, {"workdir", std::string(RETRIAL_SOURCE_DIR)}}, 1, pair);
  return run_to_end(trial).final_value(metric);
}

void check_example(const std::string& command, const std::string& metric) {
  const double first = measured(command, metric, 0);
  CHECK(measured(command, metric, 0) == first);
  CHECK(measured(command, metric, 1) != first);
}

}  // namespace

TEST_CASE("the example in POSIX shell and awk is reproducible and moved by its seed") {
  check_example("sh examples/shell/pi.sh {seed} 2000", "estimate");
  CHECK(measured("sh examples/shell/pi.sh {seed} 2000", "error", 0) < 0.5);
}

// Park and Miller's generator from state 1 gives 16807, 282475249, 1622650073, 984943658 (their paper, 1988), so of the
// points (0.0000078, 0.1315) and (0.7556, 0.4586) both lie inside the quarter circle.
TEST_CASE("the example in shell draws from the generator it names") {
  CHECK(measured("sh examples/shell/pi.sh 0 2 {seed}", "estimate", 0) == 4.0);
}

TEST_CASE("the example in Python is reproducible and moved by its seed", "[needs-python]") {
  if (!command::program_file("python3", {})) {
    WARN("left out: no python3 in PATH");
    return;
  }
  check_example("python3 examples/python/train.py --seed {seed}", "loss");
  CHECK(measured("python3 examples/python/train.py --seed {seed}", "accuracy", 0) > 70);
}

}  // namespace retrial::tests::examples_tests
