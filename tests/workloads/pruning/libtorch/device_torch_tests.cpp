// Pruning on a stand-in for a GPU, whose operators are the CPU's: the CPU's digests, so nothing was left on the host.
#include "tests/catch.hpp"
#include "tests/workloads/nn/gpu/stand_in_kernels_torch.hpp"
#include "tests/workloads/pruning/libtorch/trial_torch.hpp"

namespace retrial::tests::pruning_device_tests {
using std::string_literals::operator""s;

TEST_CASE("every method of pruning and every pipeline has the CPU's digests on a device") {
  namespace fixture = pruning::fixture;
  const at::Device device = stand_in::device_with_kernels();
  std::vector<Values> all;
  for (const auto& variant : workloads::find_workload("pruning", "").variants) {
    all.push_back(variant.preset);
    if (variant.name == "lth") all.back()["grid"] = "levels(.4, 3)"s;
  }
  for (const std::string& pipeline : pruning::pipeline_names())
    all.push_back({{"pipeline", pipeline}, {"rewind_epoch", std::int64_t{1}}});
  all.push_back({{"noise_images", std::int64_t{3}},
                 {"noise_draws", std::int64_t{2}},
                 {"noise_levels", "0,.3"s},
                 {"separate", true},
                 {"backselect_images", std::int64_t{1}}});
  all.push_back(
      {{"method", "ft"s}, {"structure", "group"s}, {"latency", true}, {"recalibrate", true}, {"model", "cnn2"s}});
  for (const Values& keys : all) {
    const auto method = keys.find("method");
    CAPTURE(method == keys.end() ? ""s : std::get<std::string>(method->second));
    const auto on_cpu = fixture::run(keys), there = fixture::run(keys, {}, stand_in::place_on(device));
    CHECK(on_cpu.digests == there.digests);
    CHECK(fixture::outcomes(on_cpu) == fixture::outcomes(there));
  }
}

}  // namespace retrial::tests::pruning_device_tests
