// Each check of a teacher on a planted defect and on its sound twin.
#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"
#include "workloads/distillation/trial/probe_checks.hpp"

namespace retrial::tests::trial_probe_checks_tests {

using namespace retrial::distillation;

namespace {

using Floats = std::vector<float>;

}  // namespace

TEST_CASE("a teacher is frozen when its digest stays") {
  CHECK_FALSE(check_frozen("teacher", "aa", "aa"));
  CHECK(check_frozen("teacher", "aa", "ab")->kind == "teacher-mutated");
}

TEST_CASE("two paths through a network agree by bits, not by values") {
  CHECK_FALSE(check_paths("teacher", Floats{1, 2}, Floats{1, 2}));
  const auto differs = check_paths("teacher", Floats{1, 2, 3}, Floats{1, 2.5F, 3});
  CHECK(differs->kind == "teacher-path-differs");
  CHECK_THAT(differs->compared, has_text("1 of 3 outputs"));
  CHECK_THAT(differs->compared, has_text("by up to 0.5"));
  CHECK(check_paths("teacher", Floats{0.0F}, Floats{-0.0F}));
  CHECK_THROWS_AS(check_paths("teacher", Floats{1}, Floats{1, 2}), std::logic_error);  // a defect of the probe itself
}

}  // namespace retrial::tests::trial_probe_checks_tests
