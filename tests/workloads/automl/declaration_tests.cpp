// What the workload declares of its studies.
#include "tests/catch.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::automl_declaration_tests {

using namespace retrial;

TEST_CASE("divisions of a table overlap by test rows / training rows, one fold against the others") {
  const auto& declaration = workloads::find_workload("automl", "");
  const auto overlap = [&](const std::string& problem, std::int64_t folds) {
    Values values = workloads::resolved(declaration, {});
    values["problem"] = problem;
    values["outer_folds"] = folds;
    return declaration.overlap(values);
  };
  CHECK(overlap("data:phoneme", 5) == .25);
  CHECK(overlap("data:phoneme", 10) == 1.0 / 9);
  CHECK(overlap("data:phoneme, data:abalone", 2) == 1);
  CHECK_FALSE(overlap("function:hartmann6/6", 5));
  CHECK_FALSE(overlap("costs:rf", 5));
}

}  // namespace retrial::tests::automl_declaration_tests
