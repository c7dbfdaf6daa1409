// Group N of the specification of automated search: the LCBench network of YAHPO Gym, and the reader of its file.
// Values of the network by a port in another language that agrees with the original to 5 digits.
#include "workloads/automl/problems/surrogate.hpp"

#include "results/text/error.hpp"
#include "results/text/file_system.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "variance/random/rng.hpp"
#include "workloads/automl/core/space.hpp"
#include "workloads/automl/problems/onnx.hpp"

namespace retrial::automl_surrogate_tests {

using namespace retrial;
using namespace retrial::automl;

namespace {

std::shared_ptr<const LcbenchNetwork> network() {
  const auto folder = test::real_data("yahpo-lcbench");
  return folder ? LcbenchNetwork::in(folder->parent_path()) : nullptr;
}

void check(const LcbenchNetwork& net, const char* instance, const LcbenchNetwork::Inputs& inputs,
           const std::array<double, 4>& expected) {
  INFO(instance);
  const auto found = net(lcbench_if_known(instance)->code, inputs);
  CHECK_THAT(found.time_s, WithinRel(expected[0], 1e-4));
  CHECK_THAT(found.val_accuracy, WithinRel(expected[1], 1e-4));
  CHECK_THAT(found.val_cross_entropy, WithinRel(expected[2], 1e-4));
  CHECK_THAT(found.val_balanced_accuracy, WithinRel(expected[3], 1e-4));
}

/// A length-delimited field.
std::string field(int number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
}

/// A tensor [2] of the floats 1 and -2.
std::string tensor(char type = 1) {
  return std::string("\x08\x02", 2) + std::string("\x10", 1) + type + field(8, "w") +
         field(9, std::string("\0\0\x80\x3f\0\0\0\xc0", 8));
}

}  // namespace

TEST_CASE("the LCBench network has the recorded values [needs-data]", "[needs-data]") {
  const auto net = network();
  if (!net) return;
  const LcbenchNetwork::Inputs p{52, 91, .0031622777F, .545F, .050005F, 3, 256, .5F},
      q{26, 64, .01F, .9F, .001F, 2, 512, .2F};
  check(*net, "189873", p, {2047.9, .510286, 5.75281, .00314644});
  check(*net, "189906", p, {104.837, 55.3457, 1.32807, .557409});
  check(*net, "167168", q, {55.4873, 79.0392, .609565, .773128});
  check(*net, "189873", q, {1251.38, 81.788, .965034, .800897});
  check(*net, "189906", q, {42.6203, 89.4989, .457236, .873183});
}

TEST_CASE("random points of LCBench are spread as recorded, and more epochs take longer [needs-data]", "[needs-data]") {
  const auto net = network();
  if (!net) return;
  const SurrogateProblem problem(*lcbench_if_known("189873"), net);
  const Space space(problem.space(0));
  variance::Stream draws(3);
  std::vector<double> accuracies;
  int shorter = 0, steps = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> point;
    for (std::size_t d = 0; d < space.dimensions(); ++d) point.push_back(variance::uniform(draws.next()));
    Evaluation evaluation{.id = i, .learner = 0, .configuration = space.chosen_at(point), .fidelity = 52};
    accuracies.push_back(100 - problem.evaluate(evaluation).loss);
    if (i >= 100) continue;
    std::int64_t last = 0;
    for (evaluation.fidelity = 1; evaluation.fidelity <= 52; ++evaluation.fidelity, ++steps) {
      const auto cost = problem.declared_cost(evaluation);
      shorter += cost < last ? 1 : 0;
      last = cost;
    }
  }
  std::ranges::sort(accuracies);
  CHECK_THAT(accuracies[1000], WithinAbs(.69, 1.5));  // N8: median .69, q99 80.5
  CHECK_THAT(accuracies[1980], WithinAbs(80.5, 3));   // of 2,000 points
  CHECK(shorter <= steps / 100);
  const Evaluation whole{.configuration = space.initial(), .fidelity = 52},
      rest{.configuration = space.initial(), .fidelity = 52, .resumed_from = 26},
      first{.configuration = space.initial(), .fidelity = 26};
  CHECK(std::abs(problem.declared_cost(first) + problem.declared_cost(rest) - problem.declared_cost(whole)) <= 1);
}

TEST_CASE("the instances are the 34 of the network") {
  CHECK(lcbench_instances().size() == 34);
  CHECK(lcbench_if_known("167168")->code == 10);
  CHECK(lcbench_if_known("189873")->code == 28);
  CHECK(lcbench_if_known("189906")->code == 30);
  CHECK(lcbench_if_known("189906")->best == 93.068);
  CHECK(lcbench_if_known("1") == nullptr);
}

TEST_CASE("initializers are read by name, and other bytes are refused") {
  const auto found = onnx_initializers(field(7, field(5, tensor())));
  REQUIRE(found.size() == 1);
  CHECK(found.at("w").shape == std::vector<std::int64_t>{2});
  CHECK(found.at("w").values == std::vector<float>{1, -2});
  CHECK_THROWS_AS(onnx_initializers(""), std::invalid_argument);
  CHECK_THROWS_AS(onnx_initializers("no protobuf at all"), std::invalid_argument);
  CHECK_THROWS_AS(onnx_initializers(field(7, field(5, tensor(11)))), std::invalid_argument);  // doubles
  const auto whole = field(7, field(5, tensor()));
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {
    INFO(cut);
    CHECK_THROWS_AS(onnx_initializers(whole.substr(0, cut)), std::invalid_argument);
  }
}

TEST_CASE("a file with other bytes is not the network") {
  const auto here = std::filesystem::temp_directory_path() / "retrial-surrogate-tests";
  std::filesystem::create_directories(here / "yahpo-lcbench");
  REQUIRE(results::write_durably(here / "yahpo-lcbench" / "model.onnx", "other"));
  try {
    (void)LcbenchNetwork::in(here);
    FAIL("read");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::incomparable);
    CHECK(error.text.problem.find("other bytes") != std::string::npos);
  }
  std::filesystem::remove_all(here);
}

}  // namespace retrial::automl_surrogate_tests
