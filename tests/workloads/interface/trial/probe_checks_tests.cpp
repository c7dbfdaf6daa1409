// Each check on a planted defect and on its sound twin; gradients and logits are written by hand.
#include "workloads/interface/trial/probe_checks.hpp"

#include <limits>
#include <stdexcept>

#include "tests/catch.hpp"

namespace retrial::tests::interface_probe_checks_tests {

using namespace retrial::workloads;

namespace {

using Floats = std::vector<float>;
using Terms = std::vector<TermShare>;
using Gradient = std::vector<double>;

const Terms sound{{"ce", 0.5, {1, 2}}, {"soft", 0.5, {0, -1}}};

}  // namespace

TEST_CASE("terms that add up to the total are accounted for, up to the rounding of float32") {
  CHECK(check_terms(sound, Gradient{1, 1}).empty());
  CHECK(check_terms(sound, Gradient{1, 1 + 2e-5}).empty());  // 1e-5 of the largest norm, sqrt 5
  CHECK(check_terms(sound, Gradient{1, 1 + 3e-5}).size() == 1);
}

TEST_CASE("the term that was never added is named, and so is an undeclared addition") {
  const Terms declared{{"relations", 25, {3, 0}}, {"attention", 50, {0, 4}}};
  const auto left_out = check_terms(declared, Gradient{3, 0});
  REQUIRE(left_out.size() == 1);
  CHECK(left_out[0].kind == "unaccounted-term");
  CHECK(left_out[0].subject == "loss term attention");
  CHECK(
      left_out[0].compared ==
      "is computed and never added (weight 50, |weighted gradient| 4): |gradient of the total| 3, |total - sum of the "
      "declared terms| 4");
  const auto added = check_terms(declared, Gradient{3, 5});
  REQUIRE(added.size() == 1);
  CHECK(added[0].subject == "the objective");
}

TEST_CASE("a term without a gradient is dead, one that a key switches off is not") {
  const auto dead = check_terms(Terms{{"ce", 1, {1, 0}}, {"soft", 0.5, {0, 0}}}, Gradient{1, 0});
  REQUIRE(dead.size() == 1);
  CHECK(dead[0].kind == "dead-term");
  CHECK(dead[0].subject == "loss term soft");
  CHECK(check_terms(Terms{{"ce", 1, {1, 0}}, {"soft", 0, {0, 0}}}, Gradient{1, 0}).empty());
}

TEST_CASE("gradients that are not finite are findings, not silence") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(check_terms(Terms{{"ce", 1, {nan, 0}}}, Gradient{nan, 0}).empty());
  CHECK_FALSE(check_terms(Terms{{"ce", 1, {1, 0}}}, Gradient{nan, 0}).empty());
}

TEST_CASE("rows alone and rows in a batch agree up to the order of sums") {
  CHECK_FALSE(check_batches("student", Floats{1, 2}, Floats{1, 2.00009F}));
  CHECK(check_batches("student", Floats{1, 2}, Floats{1, 2.0002F})->kind == "train-mode-in-eval");
  CHECK_FALSE(check_batches("student", Floats{100, 1}, Floats{100.001F, 1}));
  CHECK(check_batches("student", Floats{100, 1}, Floats{100.003F, 1}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(check_batches("student", Floats{1}, Floats{nan}));
  CHECK_FALSE(check_batches("student", Floats{nan}, Floats{nan}));
}

TEST_CASE("what has to differ is found when it does not") {
  CHECK_FALSE(check_differs("score-ignores-data", "masks of two scoring sets", "aa", "ab"));
  CHECK(check_differs("score-ignores-data", "masks of two scoring sets", "aa", "aa")->kind == "score-ignores-data");
}

TEST_CASE("spans of unequal length are a defect of the probe itself") {
  CHECK_THROWS_AS(check_batches("network", Floats{1}, Floats{1, 2}), std::logic_error);
  CHECK_THROWS_AS(check_terms(sound, Gradient{1}), std::logic_error);
}

}  // namespace retrial::tests::interface_probe_checks_tests
