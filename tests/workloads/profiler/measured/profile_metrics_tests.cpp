// The metrics of one run, from a table written by hand.
#include "workloads/profiler/measured/profile_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/catch.hpp"
#include "workloads/profiler/overhead/kinds.hpp"

namespace retrial::tests::profile_metrics_tests {

using namespace retrial::profiler;

namespace {

/// 1,000 ns: forward 600 in the library and 300 outside, data 100. Forward has 3 operations and 20 calls, of which 15
/// are made by others.
RunProfile run() {
  RunProfile out{.region_ns = 1000, .transitions = 12, .iterations = 4};
  out.table[{.operations = {"forward"}, .categories = bit_of(Category::backend)}] = 600;
  out.table[{.operations = {"forward"}, .categories = bit_of(Category::app)}] = 300;
  out.table[{.operations = {"data"}, .categories = bit_of(Category::app)}] = 100;
  out.counts["forward"] = {.annotations = 3, .hooks = {{Category::backend, 20}}, .inner = {{Category::backend, 15}}};
  out.counts["data"] = {.annotations = 1};
  return out;
}

std::vector<CostEstimate> costs() {
  const auto costing = [](const std::string& kind, double ns) {
    return CostEstimate{.kind = kind, .status = CostStatus::estimated, .cost = ns, .mean = ns};
  };
  return {costing(annotation_kind, 10), costing(hook_kind(Category::backend), 4)};
}

std::map<std::string, double> named(const std::vector<results::MetricValue>& values) {
  std::map<std::string, double> out;
  for (const auto& value : values) out[value.name] = value.value;
  return out;
}

bool close(double a, double b) {
  return std::abs(a - b) < 1e-9;
}

}  // namespace

TEST_CASE("a measured run has its shares with and without the cost of profiling") {
  const auto estimates = costs();
  auto values = named(profile_values(run(), true, &estimates, {"forward"}));
  CHECK(close(values.at("profiled_s"), 1e-6));
  CHECK(close(values.at("profiled_corrected_s"), 880e-9));  // 1000 - 4 * 10 - 20 * 4
  CHECK(values.at("transitions") == 3);
  CHECK(close(values.at("raw_share_forward"), 90));
  CHECK(close(values.at("raw_share_other"), 10));
  CHECK(close(values.at("raw_layer_backend"), 60));
  CHECK(close(values.at("raw_layer_app"), 40));
  CHECK(close(values.at("share_forward"), 100 * 790.0 / 880));  // tests/harness/profile/shares_tests.cpp
  CHECK(close(values.at("layer_backend"), 100 * 540.0 / 880));
  CHECK(close(values.at("layer_cuda_api"), 0));
}

TEST_CASE("where kernels of a GPU were recorded a run has their share of the time, and that of sample periods") {
  RunProfile with = run();
  with.gpu = GpuUse{.busy = .0125, .sampled = 1};
  const auto values = named(profile_values(with, true, nullptr, {"forward"}));
  CHECK(values.at("gpu_busy") == 1.25);
  CHECK(values.at("gpu_sampled") == 100);
  CHECK(!named(profile_values(run(), true, nullptr, {"forward"})).contains("gpu_busy"));
}

TEST_CASE("without a calibration nothing is corrected, and a run with nothing recorded has its time alone") {
  const auto raw = named(profile_values(run(), true, nullptr, {"forward"}));
  CHECK(raw.contains("raw_share_forward"));
  CHECK(!raw.contains("share_forward"));
  CHECK(!raw.contains("profiled_corrected_s"));
  const auto estimates = costs();
  CHECK(named(profile_values({.region_ns = 5}, false, &estimates, {"forward"})).size() == 1);
}

TEST_CASE("every value has its definition") {
  const auto estimates = costs();
  const auto defs = profile_metrics({"forward", "data"});
  for (const auto& value : profile_values(run(), true, &estimates, {"forward", "data"}))
    CHECK(std::ranges::find(defs, value.name, &results::MetricDef::name) != defs.end());
}

}  // namespace retrial::tests::profile_metrics_tests
