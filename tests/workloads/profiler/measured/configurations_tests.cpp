#include "workloads/profiler/measured/configurations.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::configurations_tests {

using namespace retrial::profiler;

namespace {

std::vector<std::string> names(std::int64_t block, const Level& level = {}) {
  std::vector<std::string> out;
  for (const PlannedRun& run : runs_of_block(block, 5, level)) out.push_back(run.how.name);
  return out;
}

}  // namespace

TEST_CASE("each block of a calibration begins with another configuration") {
  CHECK(names(0) == std::vector<std::string>{"off", "annotations", "operators", "layers", "full"});
  CHECK(names(1) == std::vector<std::string>{"annotations", "operators", "layers", "full", "off"});
  CHECK(names(4) == std::vector<std::string>{"full", "off", "annotations", "operators", "layers"});
  for (const PlannedRun& run : runs_of_block(2, 5, {})) CHECK(run.role == Role::calibration);
}

TEST_CASE("nothing is recorded first in the odd pairs") {
  CHECK(pair_of_block(4, 5) == 0);
  CHECK(pair_of_block(5, 5) == 1);
  CHECK(names(5) == std::vector<std::string>{"off", "full"});
  CHECK(names(6) == std::vector<std::string>{"full", "off"});
  CHECK(runs_of_block(6, 5, {})[0].role == Role::measured);
  CHECK(runs_of_block(6, 5, {})[1].role == Role::off);
  CHECK(pair_of_block(0, 0) == 1);  // without a calibration
}

TEST_CASE("without a collector no run records calls into a library") {
  const Level level{.collector = false};
  CHECK(names(0, level) == std::vector<std::string>{"off", "annotations", "layers", "full"});
  for (const PlannedRun& run : runs_of_block(0, 5, level)) CHECK(!run.how.collector);
}

TEST_CASE("a lower level records and calibrates less") {
  const Level annotations{.layers = false, .collector = false}, hooks{.operations = false};
  CHECK(names(0, annotations) == std::vector<std::string>{"off", "annotations", "full"});
  CHECK(names(0, hooks) == std::vector<std::string>{"off", "operators", "layers", "full"});
  const Configuration full = configurations(annotations).back();
  CHECK((full.operations && !full.layers && !full.collector));
  CHECK_FALSE(configurations(hooks).back().operations);
}

}  // namespace retrial::tests::configurations_tests
