#include "workloads/rl/report/scores.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/rl/report/bars.hpp"

namespace retrial::tests::scores_section_tests {

using namespace retrial;
using workloads::StudyEvidence, workloads::VariantTrials;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

VariantTrials variant_of(const std::string& name, Values keys, const std::vector<double>& returns) {
  VariantTrials out{.name = name, .values = workloads::resolved(workloads::find_workload("rl", ""), keys)};
  for (std::size_t i = 0; i < returns.size(); ++i)
    out.trials.push_back({.pair = static_cast<std::int64_t>(i), .finals = {{"return", returns[i]}}});
  return out;
}

Values training(const std::string& algorithm, const std::string& environment, const std::string& settings) {
  return {{"algorithm", algorithm}, {"env", environment}, {"settings", settings}};
}

Json data_of(std::vector<VariantTrials> variants) {
  const StudyEvidence evidence{.study = "s", .baseline = variants.front().name, .variants = std::move(variants)};
  return rl::scores_section(evidence).data;
}

}  // namespace

TEST_CASE("a bar is the published return less a tenth of its lead over random actions") {
  CHECK(std::abs(*rl::bar_of("ppo", "cartpole") - (500 - .1 * (500 - 22.21))) < 1e-9);
  CHECK(std::abs(*rl::bar_of("sac", "pendulum") - (-157 - .1 * (-157 + 1228.4))) < 1e-9);
  CHECK(!rl::bar_of("ppo", "pendulum"));  // state-dependent exploration
  CHECK(!rl::bar_of("sac", "cartpole"));
}

TEST_CASE("the interquartile mean is that of the middle half, and meets the bar or does not") {
  const Json scores = data_of({variant_of("good", training("ppo", "cartpole", "zoo"), {500, 500, 500, 500}),
                               variant_of("bad", training("dqn", "cartpole", "zoo"), {100, 200, 300, 500}),
                               variant_of("other", training("ppo", "cartpole", "sb3"), {500, 500, 500, 500})})
                          .at("scores");
  CHECK(scores.at(0).at("judged") == "met with confidence");
  CHECK(scores.at(1).at("iqm") == 250);
  CHECK(scores.at(1).at("low") <= 250);
  CHECK(scores.at(1).at("high") >= 250);
  CHECK(scores.at(1).at("judged") == "below");
  CHECK(scores.at(2).at("bar").is_null());  // other settings than the published ones
}

TEST_CASE("scores that are not finite rank last, and take the mean away once they reach the middle half") {
  const Json scores = data_of({variant_of("one", training("ppo", "cartpole", "zoo"), {missing, 200, 300, 500}),
                               variant_of("two", training("ppo", "cartpole", "zoo"), {missing, missing, 300, 500})})
                          .at("scores");
  CHECK(scores.at(0).at("iqm") == 250);  // of 200 and 300
  CHECK(scores.at(0).at("low").is_null());
  CHECK(scores.at(1).at("iqm").is_null());
}

TEST_CASE("policies written by hand stand beside, each once for each environment") {
  const Json policies =
      data_of({variant_of("random", {{"env", std::string("cartpole")}}, {20, 22}),
               variant_of("angle", {{"env", std::string("cartpole")}, {"policy", std::string("angle")}}, {42})})
          .at("policies");
  CHECK(policies.size() == 3);
  CHECK(policies.at(0).at("policy") == "constant");
  CHECK(policies.at(0).at("return") == 9.26);  // 926 over the 100 starts: specification of the profiler, 24.7
}

TEST_CASE("the section has a figure for each environment, with every trial") {
  const StudyEvidence evidence{.study = "s",
                               .baseline = "a",
                               .variants = {variant_of("a", training("ppo", "cartpole", "zoo"), {1, 2, 3}),
                                            variant_of("b", training("sac", "pendulum", "zoo"), {-200, -150})}};
  const auto part = rl::scores_section(evidence);
  std::size_t figures = 0, marks = 0;
  for (const auto& block : part.section->blocks)
    if (const auto* figure = std::get_if<report::Figure>(&block)) {
      ++figures;
      marks += figure->plot.series.front().points.size();
    }
  CHECK(figures == 2);
  CHECK(marks == 5);
}

}  // namespace retrial::tests::scores_section_tests
