// Every value of the specification of this workload (pipelined backpropagation, section 18) that a formula computes,
// from two independent programs in double precision: workloads/pipeline/analysis/reference.json.
#include "workloads/pipeline/analysis/reference.hpp"

#include <fstream>
#include <sstream>

#include "tests/catch.hpp"

namespace retrial::tests::pipeline_reference_tests {

using namespace retrial;

namespace {

std::string document() {
  std::ifstream in(std::string(RETRIAL_SOURCE_DIR) + "/workloads/pipeline/analysis/reference.json");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

std::size_t wrong_in(const variance::Reproduced& table) {
  return static_cast<std::size_t>(std::ranges::count_if(table.lines, [](const auto& line) { return !line.ok(); }));
}

}  // namespace

TEST_CASE("formulas have their reference values", "[pipeline]") {
  const auto table = pipeline::recomputed(document());
  CHECK(table.lines.size() == 377);
  for (const auto& line : table.lines) {
    INFO(line.what);
    CHECK_FALSE(line.reference.empty());
    REQUIRE(line.value.size() == line.reference.size());
    for (std::size_t i = 0; i < line.value.size(); ++i)
      CHECK_THAT(line.value[i], WithinAbs(line.reference[i], line.tolerance));
  }
}

TEST_CASE("a wrong reference value is found", "[pipeline]") {
  CHECK(wrong_in(pipeline::recomputed(replaced(document(), "[14.854222890512]", "[14.854222890712]"))) == 1);
  CHECK(wrong_in(pipeline::recomputed(replaced(document(), "0.98291656064", "0.9829165606"))) == 0);  // 4e-11
  CHECK(wrong_in(pipeline::recomputed(replaced(document(), "0.98291656064", "0.982916561"))) == 1);
  CHECK(wrong_in(pipeline::recomputed(replaced(document(), "[0.005926056207]", "[0.005926057]"))) == 1);
}

}  // namespace retrial::tests::pipeline_reference_tests
