// Planted times; expected prices are their closed forms.
#include "harness/price/price_page.hpp"

#include <map>

#include "harness/price/arms.hpp"
#include "harness/price/price_protocol.hpp"
#include "harness/price/subjects.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::price_tests {

using namespace retrial;
using namespace retrial::harness;
using determinism::StepTimes;

namespace {

PriceDesign cpu_design() {
  return price_design(determinism::mode_from_name("deterministic", ""), false);
}

/// Runs of five steps around a median in ms; noise of 2 % that differs from run to run, and one step that is ten times
/// as long, as where another program got in the way.
class Planted {
 public:
  explicit Planted(std::vector<double> medians, std::uint64_t key = 7) : medians_(std::move(medians)), key_(key) {}
  StepTimes operator()(std::size_t arm) {
    order.push_back(arm);
    const double median = medians_[arm] * std::exp(.02 * variance::normal(variance::block(key_, order.size(), 0)[0]));
    const std::vector<double> steps{median, .9 * median, 10 * median, 1.1 * median, median};
    return {.wall = steps, .kernel = steps};
  }
  std::vector<std::size_t> order;

 private:
  std::vector<double> medians_;
  std::uint64_t key_;
};

PricedSubject priced(std::vector<double> medians, std::int64_t pairs = 10, std::uint64_t key = 7) {
  Planted planted(std::move(medians), key);
  return priced_subject("planted", "", cpu_design(), measure_pairs(3, pairs, std::ref(planted)));
}

}  // namespace

TEST_CASE("the arms differ in determinism alone, and fill is the switch of D0") {
  const auto design = cpu_design();
  REQUIRE(design.arms.size() == 3);
  CHECK_FALSE(design.arms[0].mode.deterministic);
  CHECK((design.arms[1].mode.deterministic && !design.arms[1].fill));
  CHECK((design.arms[2].mode.deterministic && design.arms[2].fill));
  for (const Arm& arm : design.arms) {
    auto same = arm.mode;
    same.deterministic = true;
    same.preset = "deterministic";
    CHECK(same == determinism::mode_from_name("deterministic", ""));
  }
}

TEST_CASE("on a GPU each axis is priced alone") {
  const auto design = price_design(determinism::mode_from_name("deterministic,cuda", ""), false);
  REQUIRE(design.arms.size() == 7);
  CHECK(design.arms[3].mode.tf32);
  CHECK(design.arms[4].mode.autotune);
  CHECK(design.arms[5].mode.workspace_in_force() == "4096x8");
  CHECK(design.arms[6].mode.attention_in_force() == "math");
  for (std::size_t arm = 3; arm < 7; ++arm) {
    CHECK_FALSE(design.arms[arm].mode.deterministic);
    CHECK(determinism::mode_from_document(determinism::mode_document(design.arms[arm].mode)) == design.arms[arm].mode);
  }
}

TEST_CASE("modes without a partner have no price") {
  for (const std::string name : {"portable", "inherit"})
    CHECK_THROWS_WITH(price_design(determinism::mode_from_name(name, ""), false), has_text("mode = " + name));
}

TEST_CASE("pairs are interleaved, and each arm comes first in turn") {
  Planted planted({1, 1, 1});
  const auto times = measure_pairs(3, 4, std::ref(planted));
  CHECK(planted.order == std::vector<std::size_t>{0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2});
  for (const auto& arm : times) CHECK(arm.size() == 4);
}

TEST_CASE("planted costs of flag and fill are found, and their product is the total") {
  const auto found = priced({10, 14, 15.4});  // determinism spec, 28.2 O: 1.40, 1.10, 1.54
  const auto total = found.prices[0].wall, flag = found.prices[1].wall, fill = found.prices[2].wall;
  CHECK_THAT(total.point, WithinRel(flag.point * fill.point, 1e-12));
  for (const auto& [estimate, truth] : {std::pair{total, 1.54}, {flag, 1.40}, {fill, 1.10}}) {
    CHECK_THAT(estimate.point, WithinRel(truth, .03));  // 2 % / sqrt(10) of two arms: 3 standard errors
    CHECK((*estimate.low < estimate.point && estimate.point < *estimate.high));
  }
  CHECK(answer_of({found}, {1.0}) == PriceAnswer::above);
  CHECK(answer_of({found}, {2.0}) == PriceAnswer::below);
  CHECK(found.prices[0].kernel->point == total.point);  // the same steps were planted for both
}

TEST_CASE("equal arms are inconclusive: the control") {
  // A percentile bootstrap of ten pairs holds the truth some 90 times in 100, which is what the page says of a control.
  constexpr std::uint64_t lists = 300;
  int inconclusive = 0;
  for (std::uint64_t key = 1; key <= lists; ++key)
    inconclusive += answer_of({priced({10, 10, 10}, 10, key)}, {1.0}) == PriceAnswer::inconclusive;
  CHECK(inconclusive > .84 * lists);
  CHECK(inconclusive < .97 * lists);
  // Times without any noise, such as those of a clock too coarse to see a difference.
  const auto same = priced_subject("same", "", cpu_design(), measure_pairs(3, 3, [](std::size_t) {
                                     return StepTimes{.wall = {2, 2}, .kernel = {1, 1}};
                                   }));
  CHECK(same.prices[0].wall.point == 1.0);
  CHECK(answer_of({same}, {1.0}) == PriceAnswer::inconclusive);
}

TEST_CASE("two pairs decide nothing, whatever they show") {
  const auto found = priced({10, 20, 30}, 2);
  CHECK_FALSE(found.prices[0].wall.low);
  CHECK(answer_of({found}, {1.0}) == PriceAnswer::inconclusive);
}

TEST_CASE("where kernels are not timed, the page gives the reason and the document a null") {
  auto times = measure_pairs(3, 3, [](std::size_t) {
    return StepTimes{.wall = {1, 2, 3}, .kernel = {}, .no_kernel_times = "no tracer here"};
  });
  const auto design = cpu_design();
  const auto found = priced_subject("one", "", design, std::move(times));
  CHECK(found.wall_ms == std::vector<double>{2, 2, 2});
  const auto part = price_part({.limits = {1.0}}, design, {found});
  CHECK_THAT(section_text(*part.section), has_text("no tracer here"));
  const auto& one = part.data.at("subjects").at(0);
  CHECK(one.at("prices").at("total").at("kernel").is_null());
  CHECK(one.at("no_kernel_times") == "no tracer here");
  CHECK(one.at("prices").at("total").at("wall").at("ratio") == 1.0);
}

TEST_CASE("a page says what was measured on a busy machine, and what a control is") {
  const auto design = price_design(determinism::mode_from_name("deterministic", ""), true);
  const auto found = priced({10, 10, 10});
  const auto busy = section_text(
      *price_part({.here = {.before = 3, .cpus = 2}, .limits = {1.0}, .control = true}, design, {found}).section);
  CHECK_THAT(busy, has_text("other programs used this machine"));
  CHECK_THAT(busy, has_text("All arms are the same"));
  const auto idle =
      section_text(*price_part({.here = {.before = .1, .cpus = 2}, .limits = {1.0}}, design, {found}).section);
  CHECK_THAT(idle, !has_text("other programs"));
  CHECK_THAT(idle, !has_text("All arms are the same"));
}

TEST_CASE("a price is printed as a ratio with its percentage") {
  const auto design = cpu_design();
  auto times = measure_pairs(3, 3, [](std::size_t arm) {
    return StepTimes{.wall = {std::vector<double>{10, 74.6, 74.6}[arm]}, .kernel = {}};
  });
  const auto page = section_text(
      *price_part({.limits = {1.0}}, design, {priced_subject("one", "", design, std::move(times))}).section);
  CHECK_THAT(page, has_text("7.46x (746 %)"));
}

TEST_CASE("layers are selected by name, batch and kernel") {
  const auto some = layer_subjects({"conv3x3", "linear"}, {8, 16}, {});
  REQUIRE(some.size() == 4);
  CHECK(some[1].name == "conv3x3, batch 16");
  CHECK(some[1].order.batch == 16);
  for (const auto& subject : layer_subjects({}, {}, {3, 7}))
    CHECK((subject.name.find('3') != std::string::npos || subject.name.find('7') != std::string::npos));
  CHECK(layer_subjects({}, {}, {3, 7}).size() == 4);  // convolution and MediumCNN of each
  CHECK_THROWS_WITH(layer_subjects({}, {}, {9}), has_text("--kernel-sizes = 9") && has_text("1, 3, 5, 7"));
}

TEST_CASE("every training that a workload names is valid, and long enough to be timed") {
  std::size_t trainings = 0;
  for (const auto& declaration : workloads::all_workloads()) {
    if (!declaration.contributes.trainings) continue;
    for (const auto& training : declaration.contributes.trainings()) {
      INFO(declaration.name << ": " << training.name);
      ++trainings;
      const auto values = workloads::resolved(declaration, training.keys);
      for (const auto& [key, value] : training.keys) CHECK(workloads::checked(declaration, key, value, "") == value);
#ifndef RETRIAL_NO_TORCH
      if (declaration.validate) CHECK(declaration.validate(values).empty());
#endif
    }
  }
  CHECK(trainings >= 3);
}

}  // namespace retrial::tests::price_tests
