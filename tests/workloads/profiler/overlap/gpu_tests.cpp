// Expected values: section 24.2 (R-CAL-2) of the specification of the profiler; example E2 by hand.
#include "workloads/profiler/overlap/gpu.hpp"

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/profiler/overlap/example.hpp"

namespace retrial::tests::profiler_gpu_tests {

using namespace retrial;
using profiler::Interval;
using profiler_example::e2, profiler_example::span;

TEST_CASE("twenty kernels of 1 ms in 2 s are 1 % busy, and look like anything up to 100 % when sampled") {
  constexpr std::int64_t ms = 1'000'000;
  std::vector<Interval> kernels;
  for (std::int64_t i = 0; i < 20; ++i) kernels.push_back({i * 100 * ms, i * 100 * ms + ms});
  const std::vector<Interval> region{{0, 2000 * ms}};
  CHECK(profiler::true_busy(kernels, region) == 0.01);
  CHECK(profiler::sampled_utilization(kernels, region, profiler::usual_period_ns) == 1);
  CHECK(profiler::sampled_utilization(kernels, region, 50 * ms) == 0.5);
  CHECK(profiler::sampled_utilization(kernels, region, 10 * ms) == 0.1);
  CHECK(profiler::sampled_utilization(kernels, region, ms) == 0.01);
  CHECK_THROWS_AS(profiler::sampled_utilization(kernels, region, 0), Error);
  CHECK_THROWS_AS(profiler::sampled_utilization(kernels, region, -1), Error);
}

TEST_CASE("a kernel that ends where a sample period begins does not count there, and the last period may be short") {
  CHECK(profiler::sampled_utilization({{0, 10}}, {{0, 25}}, 10) == Approx(1.0 / 3));
  CHECK(profiler::sampled_utilization({{9, 11}, {10, 12}}, {{0, 25}}, 10) == Approx(2.0 / 3));
  CHECK(profiler::sampled_utilization({{24, 90}}, {{0, 25}}, 10) == Approx(1.0 / 3));
}

TEST_CASE("work of a GPU by overlap and by what launched it") {
  auto t = e2();
  const auto before = profiler::gpu_by_operation(t, profiler::thread_times(t));
  CHECK(before.at("inference") == profiler::GpuTime{80, 80});
  CHECK(before.at("backprop") == profiler::GpuTime{200, 200});
  CHECK_FALSE(before.at("backprop").asynchronous());
  t.gpu[0] = span(32, 40, 8, 1, profiler::Category::gpu_kernel, 1);  // launched by inference, runs under simulation
  const auto after = profiler::gpu_by_operation(t, profiler::thread_times(t));
  CHECK(after.at("inference") == profiler::GpuTime{0, 80});
  CHECK(after.at("simulation") == profiler::GpuTime{80, 0});
  CHECK(after.at("inference").asynchronous());
}

TEST_CASE("two streams at once are busy once") {
  auto t = e2();
  t.lanes.push_back({.gpu = true, .name = "GPU 0 stream 8", .number = 8});
  t.gpu.push_back(span(18, 26, 8, 2, profiler::Category::gpu_kernel, 2));
  const auto times = profiler::gpu_by_operation(t, profiler::thread_times(t));
  CHECK(times.at("inference") == profiler::GpuTime{100, 100});
  CHECK(profiler::true_busy(profiler::kernels_of(t), profiler::intervals_of(t.regions)) == 0.3);
}

}  // namespace retrial::tests::profiler_gpu_tests
