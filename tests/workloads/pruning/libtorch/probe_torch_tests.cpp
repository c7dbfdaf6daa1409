// The probes of the liveness check on every method and pipeline of pruning: no finding, and what they looked at.
#include <ATen/Parallel.h>

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "workloads/pruning/keys/pipeline.hpp"
#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning_probe_tests {
using std::string_literals::operator""s;

namespace {

workloads::ProbeReport probed(const Values& given) {
  at::set_num_threads(1);
  const auto& declaration = workloads::find_workload("pruning", "");
  Values keys{{"model", "mlp:16,8"s}, {"train_count", std::int64_t{400}}, {"grid", ".7, .5"s}};
  for (const auto& [key, value] : given) keys[key] = value;
  workloads::Trial trial{.workload = "pruning",
                         .variant = "wt",
                         .values = workloads::resolved(declaration, keys),
                         .identity = std::string(64, 'a')};
  REQUIRE(declaration.validate(trial.values).empty());
  for (const std::string& source : declaration.honours(trial.values))
    trial.seeds[source] = variance::source_seed(20210403, source, 0);
  return workloads::find_probe("pruning")(trial, {.max_steps = 3});
}

void check_silent(const workloads::ProbeReport& report) {
  for (const auto& finding : report.findings) {
    INFO(finding.kind << ", " << finding.subject << ": " << finding.compared);
    CHECK(false);
  }
}

bool looked_at(const workloads::ProbeReport& report, const std::string& part) {
  return std::find(report.looked_at.begin(), report.looked_at.end(), part) != report.looked_at.end();
}

}  // namespace

TEST_CASE("the probes of pruning find nothing in any of its methods and pipelines, and look at what they should") {
  for (const pruning::Method& method : pruning::all_methods()) {
    INFO(method.name);
    Values keys{{"method", method.name}};
    if (method.rule == pruning::Rule::lottery) keys["grid"] = "levels(.3, 2)"s;
    if (method.name == "bn_scale") keys["model"] = "cnn4"s;
    const auto report = probed(keys);
    check_silent(report);
    const bool masks = method.structured() || method.unstructured();
    CHECK(looked_at(report, "masked weights after every optimizer step") == masks);
    CHECK(looked_at(report, "masks of two steps") == masks);
    CHECK(looked_at(report, "answers after the first step"));
    CHECK(looked_at(report, "scores of method " + method.name) == method.reads_samples);
  }
  for (const std::string& pipeline : pruning::pipeline_names()) {
    INFO(pipeline);
    const auto report = probed({{"pipeline", pipeline}});
    check_silent(report);
    CHECK(looked_at(report, "weights after rewinding") == (pipeline == "cascade_rewind"));
  }
}

TEST_CASE("a first step that leaves a handful of weights collapses to chance, and the probe says so") {
  const auto report = probed({{"grid", ".003"s}});
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].kind == "chance-collapse");
}

}  // namespace retrial::pruning_probe_tests
