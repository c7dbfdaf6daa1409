// Properties of scalar chains; their reference values are in tests/workloads/pipeline/analysis/reference_tests.cpp.
#include "workloads/pipeline/chain.hpp"

#include <cmath>

#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::scalar_chain_tests {

using namespace retrial;
using pipeline::scalar_chain;

namespace {

using std::string_literals::operator""s;

Values keys_of(const std::string& delay, const std::string& semantics, const std::string& corrector = "none",
               std::int64_t samples = 12) {
  return {{"lr", .05},         {"momentum", .5}, {"delay", delay}, {"semantics", semantics}, {"corrector", corrector},
          {"samples", samples}};
}

pipeline::ChainWeights three(const Values& keys, const std::string& activation = "tanh") {
  return scalar_chain({1.2, .9, 1.1}, .3, activation, keys);
}

std::string refused(Values change, const std::string& semantics = "inconsistent") {
  Values keys = keys_of("pb", semantics);
  change.merge(keys);
  try {
    static_cast<void>(three(change));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("the distance of a chain to sequential training has slope 1 in the rate", "[pipeline]") {
  // PB-10: S = 4, eta = .04 (1 - m) / 2^k, 50 2^k samples.
  for (const double momentum : {0.0, .5}) {
    const auto distance = [&](int k) {
      const auto last = [&](const char* delay, const char* semantics) {
        Values keys = keys_of(delay, semantics, "none", std::int64_t{50} << k);
        keys["lr"] = .04 * (1 - momentum) / std::pow(2, k), keys["momentum"] = momentum;
        std::vector<double> weights;
        for (const auto& stage : scalar_chain({1.2, .9, 1.1, .8}, .3, "tanh", keys).versions)
          weights.push_back(stage.back());
        return weights;
      };
      const auto late = last("pb", "inconsistent"), sequential = last("none", "sequential");
      double square = 0;
      for (std::size_t s = 0; s < late.size(); ++s) square += std::pow(late[s] - sequential[s], 2);
      return std::sqrt(square);
    };
    for (int k = 2; k < 5; ++k) CHECK_THAT(std::log2(distance(k) / distance(k + 1)), WithinAbs(1, .05));
  }
}

TEST_CASE("a chain without delay is sequential under every semantics and corrector, bit for bit", "[pipeline]") {
  const auto expected = three(keys_of("none", "sequential")).versions;
  for (const char* semantics : {"inconsistent", "stashed", "recomputed", "vertical_sync"})
    for (const char* corrector : {"none", "sc", "lwp_v", "lwp_w", "lwp_v+sc", "lwp_w+sc", "dc_asgd", "pipemare"}) {
      if (semantics == "vertical_sync"s && corrector != "none"s && corrector != "sc"s) continue;
      if (corrector == "pipemare"s && semantics != "inconsistent"s) continue;
      CAPTURE(semantics, corrector);
      Values keys = keys_of("custom", semantics, corrector);
      keys["delay_list"] = "0,0,0"s;
      CHECK(three(keys).versions == expected);
    }
}

TEST_CASE("chains: vertical sync is a uniform delay of stage 0; drained is the mean over its micro-batches",
          "[pipeline]") {
  Values uniform = keys_of("uniform", "uniform_delay");
  uniform["uniform_delay"] = std::int64_t{4};
  CHECK(three(keys_of("pb", "vertical_sync")).versions == three(uniform).versions);
  Values drained = keys_of("none", "drained", "none", 16);
  drained["microbatches"] = std::int64_t{4};
  const auto left = three(drained).versions, right = three(keys_of("none", "sequential", "none", 4)).versions;
  for (std::size_t s = 0; s < left.size(); ++s) {
    REQUIRE(left[s].size() == 5);  // the samples are equal, so their mean is one of them
    for (std::size_t t = 0; t < 5; ++t) CHECK_THAT(left[s][t], WithinAbs(right[s][t], 1e-14));
  }
}

TEST_CASE("a chain ends with the updates before a loss that is not finite", "[pipeline]") {
  Values keys = keys_of("pb", "stashed", "none", 40);
  keys["lr"] = 1e3;
  const auto found = three(keys, "lin");
  CHECK(found.versions[0].size() < 41);
  CHECK(found.versions[0].size() > 1);
  for (const auto& stage : found.versions) CHECK(stage.size() == found.versions[0].size());
  CHECK(found.ticks.size() == 44);
  CHECK(found.ticks.back()[0] == found.versions[0].back());
}

TEST_CASE("a chain that the workload refuses is refused with key, value and what is allowed", "[pipeline]") {
  CHECK_THAT(refused({{"delay", "none"s}}), has_text("scalar_chain.delay = none") && has_text("pb, one_f_one_b"));
  CHECK_THAT(refused({{"corrector", "lwp_v"s}}, "vertical_sync"),
             has_text("scalar_chain.corrector = lwp_v") && has_text("semantics = vertical_sync"));
  CHECK_THAT(refused({{"delay", "custom"s}, {"delay_list", "2,4,0"s}}), has_text("element 1 is larger than element 0"));
  CHECK_THAT(refused({{"microbatches", std::int64_t{2}}}), has_text("microbatches = 2: not read"));
  CHECK_THAT(refused({{"gsc_a", 2.0}}), has_text("gsc_a = 2.0: not read"));
  CHECK_THAT(refused({{"samples", std::int64_t{20001}}}), has_text("1 to 20000"));
  CHECK_THAT(refused({{"lr_schedule", "4"s}}), has_text("SAMPLE=FACTOR"));
}

}  // namespace retrial::tests::scalar_chain_tests
