// What is said of keys and of teachers. Expected accuracies: the measured mean of the digits' teachers, and the
// survey's undistilled networks (93.41 in a table and 92.18 in a comment for one of them: the least counts).
#include "tests/catch.hpp"
#include "workloads/distillation/trial/remarks.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::distillation_remarks_tests {
using std::string_literals::operator""s;
using namespace distillation;

namespace {

std::string said(const Values& given) {
  Values values;
  for (const auto& parameter : workloads::find_workload("distillation", "").parameters)
    values[parameter.name] = given.contains(parameter.name) ? given.at(parameter.name) : parameter.fallback;
  std::string all;
  for (const std::string& remark : remarks(values)) all += remark + "\n";
  return all;
}

}  // namespace

TEST_CASE("a teacher more than five points below what its kind is known for is warned about") {
  CHECK(weak_teacher("digits", "cnn16", 93.97).empty());
  CHECK_THAT(weak_teacher("digits", "cnn16", 93.9),
             has_text("cnn16 reached 93.9 %") && has_text("5 points") && has_text("98.96 %"));
  CHECK(weak_teacher("cifar10", "resnet26s", 87.2).empty());
  CHECK_THAT(weak_teacher("cifar10", "resnet26s", 82), has_text("92.18 %") && has_text("Ruffy and Chahal"));
  CHECK(weak_teacher("digits", "cnn4", 20).empty());
  CHECK(weak_teacher("cifar10-unofficial", "resnet26s", 20).empty());  // other images, other accuracies
}

TEST_CASE("keys that flatter, do nothing or surprise are remarked upon") {
  CHECK(said({}).empty());
  CHECK_THAT(said({{"teacher", "mlp:32"s}}), has_text("self-distillation"));
  CHECK(said({{"teacher", "mlp:32"s}, {"method", "ce"s}}).empty());
  CHECK_THAT(said({{"validation", .1}}), has_text("not used for selection: select = last"));
  CHECK(said({{"validation", .1}, {"select", "best-val"s}}).empty());
  CHECK_THAT(said({{"select", "best-test"s}}), has_text("cannot confirm a claim"));
  CHECK_THAT(said({{"milestones", "30,150"s}}),
             has_text("milestone 150 is never reached: there are 60 epochs") && !has_text("milestone 30"));
}

}  // namespace retrial::distillation_remarks_tests
