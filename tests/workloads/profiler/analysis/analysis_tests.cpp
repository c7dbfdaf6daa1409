// Small timelines whose answers are seen by eye.
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/profiler/overlap/example.hpp"
#include "workloads/profiler/analysis/critical_path.hpp"
#include "workloads/profiler/analysis/idle.hpp"
#include "workloads/profiler/analysis/launches.hpp"
#include "workloads/profiler/rules/profile_rules.hpp"

namespace retrial::tests::profiler_analysis_tests {

using namespace retrial;
using namespace retrial::profiler;
using profiler_example::e2, profiler_example::span;

namespace {

/// One thread that launches, two streams. Times in units of 10 ns.
Timeline two_streams() {
  Timeline t;
  t.names = {"iteration", "cudaLaunchKernel", "gemm", "nccl_all_reduce", "cudaDeviceSynchronize"};
  t.lanes = {{.name = "thread 0"}, {.gpu = true, .name = "stream 1"}, {.gpu = true, .name = "stream 2"}};
  t.regions = {{{0, 1000}, "all", 0}};
  t.operations = {span(0, 100, 0, 0, Category::app)};
  t.calls = {span(5, 6, 1, 0, Category::cuda_api, 1), span(7, 8, 1, 0, Category::cuda_api, 2),
             span(30, 31, 1, 0, Category::cuda_api, 3), span(9, 10, 1, 0, Category::cuda_api, 4),
             span(40, 80, 4, 0, Category::cuda_api, 5)};
  t.gpu = {span(10, 20, 2, 1, Category::gpu_kernel, 1), span(22, 25, 2, 1, Category::gpu_kernel, 2),
           span(34, 70, 2, 1, Category::gpu_kernel, 3), span(15, 40, 3, 2, Category::gpu_kernel, 4)};
  return t;
}

}  // namespace

TEST_CASE("busy, computing, communicating under computation") {
  const Breakdown b = gpu_breakdown(two_streams());
  CHECK(b.span == 1000);
  CHECK(b.busy == 600);  // [10, 70)
  CHECK(b.idle() == 400);
  CHECK(b.compute == 490);
  CHECK(b.non_compute() == 110);
  CHECK(b.communication == 250);
  CHECK(b.hidden_communication == 140);  // [15, 20), [22, 25), [34, 40)
}

TEST_CASE("a stream waits for the host, for the next kernel, or for something else") {
  const auto causes = idle_causes(two_streams());
  REQUIRE(causes.size() == 2);
  CHECK(causes[0].kernel_wait == 20);  // [20, 22): below 30 ns
  CHECK(causes[0].host_wait == 90);    // [25, 34): launched at 30
  CHECK(causes[0].other == 0);
  CHECK(idle_causes(two_streams(), 10)[0].other == 20);
  CHECK(causes[1].host_wait + causes[1].kernel_wait + causes[1].other == 0);
}

TEST_CASE("launches: durations, delays, short kernels, outliers, queue") {
  Timeline t = two_streams();
  t.calls[1].end = 12'070 * 10;  // a slow call whose kernel is shorter than it, and began before its end
  const auto s = launch_statistics(t).at("cudaLaunchKernel");
  CHECK(s.launches == 4);
  CHECK(s.work_ns == 740);
  CHECK(s.short_work == 1);
  CHECK(s.slow_calls == 1);
  CHECK(s.slow_starts == 0);
  CHECK(longest_queues(two_streams()).at(1) == 2);
  CHECK(longest_queues(two_streams()).at(2) == 1);
}

TEST_CASE("the critical path leads through the kernels that a synchronizing call waits for") {
  const CriticalPath path = critical_path(two_streams());
  // CPU until the third launch at 30, its delay, its kernel until 70; then the CPU after the call that waited.
  CHECK(path.length() == 300 + 40 + 360 + 200);
  CHECK(path.gpu_ns == 360);
  CHECK(path.delay_ns == 40);
  CHECK(path.cpu_ns == 500);
  CHECK(path.steps.back().name == "iteration");
}

TEST_CASE("without a GPU the critical path is the time of the thread, and nothing gives none") {
  Timeline t = e2();
  t.gpu.clear();
  CHECK(critical_path(t).length() == 1000);
  CHECK(critical_path(Timeline{}).length() == 0);
}

TEST_CASE("a GPU that is 1 % busy and looks fully used fires low_gpu_busy, which says both") {
  constexpr std::int64_t ms = 1'000'000;
  Timeline t;
  t.names = {"k", "train"};
  t.lanes = {{.name = "thread 0"}, {.gpu = true, .name = "stream"}};
  t.regions = {{{0, 2000 * ms}, "all", 0}};
  for (std::int64_t i = 0; i < 20; ++i)
    t.gpu.push_back({{i * 100 * ms, i * 100 * ms + ms}, 0, 1, Category::gpu_kernel});
  const auto results = evaluate_rules(t, asked_rules({"default"}, profile_rules()));
  REQUIRE(results.size() == 4);
  CHECK(results[0].fired == true);
  CHECK_THAT(results[0].finding, has_text("busy 1.0 %") && has_text("sampled utilization shows 100.0 %"));
  CHECK(results[1].fired == true);
  CHECK_FALSE(results[2].fired);
  CHECK_THAT(results[2].finding, has_text("needed 11"));

  for (Span& s : t.gpu) s.end = s.start + 90 * ms;  // the control: a GPU in use
  CHECK(evaluate_rules(t, {"low_gpu_busy"})[0].fired == false);
  CHECK(evaluate_rules(t, {"cpu_bottleneck"})[0].fired == false);
  CHECK(asked_rules({"none"}, profile_rules()).empty());
  try {
    static_cast<void>(asked_rules({"low_gpu_bussy"}, profile_rules()));
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(e.text.help == "did you mean \"low_gpu_busy\"?");
  }
}

TEST_CASE("iterations far above the others fire step_outlier, and none does not") {
  Timeline t = e2();
  std::int64_t at = 0;
  for (int i = 0; i < 400; ++i) t.progress.push_back({at += (i % 30 == 7 ? 100 : 1), 0, 0, 0});
  CHECK(evaluate_rules(t, {"step_outlier"})[0].fired == true);
  t.progress.clear();
  for (int i = 0; i < 400; ++i) t.progress.push_back({at += 2, 0, 0, 0});
  CHECK(evaluate_rules(t, {"step_outlier"})[0].fired == false);
  CHECK(evaluate_rules(t, {"max_initialization_time"})[0].fired == false);
}

}  // namespace retrial::tests::profiler_analysis_tests
