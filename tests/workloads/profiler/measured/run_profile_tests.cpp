#include "workloads/profiler/measured/run_profile.hpp"

#include <chrono>

#include "tests/catch.hpp"
#include "workloads/profiler/overhead/kinds.hpp"
#include "workloads/profiler/recording/annotation.hpp"

namespace retrial::tests::run_profile_tests {

using namespace retrial::profiler;

namespace {

constexpr std::uint64_t room = 1 << 20;

/// Longer than a step of the clock, which is 10 ns on some CPUs: what takes no time is no transition.
void wait_a_little() {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + std::chrono::microseconds(1); Clock::now() < end;) continue;
}

void work() {
  for (int i = 0; i < 3; ++i) {
    RETRIAL_OPERATION("outer");
    RETRIAL_OPERATION("inner");
    const Layer simulator(Category::simulator);
    wait_a_little();
  }
}

RunProfile recorded(const ProfileOrder& order) {
  RecordedRun run(order, "test");
  work();
  return run.ended(3);
}

}  // namespace

TEST_CASE("a run keeps what its order asks for, and nothing else") {
  const RunProfile nothing = recorded({});
  CHECK(nothing.region_ns > 0);
  CHECK(nothing.events == 0);
  CHECK(nothing.table.empty());
  CHECK(nothing.charged_events().empty());

  const RunProfile operations = recorded({.operations = true, .cap_bytes = room});
  CHECK(operations.charged_events() == std::map<std::string, std::uint64_t>{{annotation_kind, 6}});

  const RunProfile layers = recorded({.layers = true, .cap_bytes = room});
  CHECK(layers.charged_events().at(hook_kind(Category::simulator)) == 3);
  CHECK(layers.charged_events().at(annotation_kind) == 0);

  const RunProfile all = recorded({.operations = true, .layers = true, .cap_bytes = room});
  CHECK(all.charged_events() ==
        std::map<std::string, std::uint64_t>{{annotation_kind, 6}, {hook_kind(Category::simulator), 3}});
  CHECK(all.counts.at("inner").hooks.at(Category::simulator) == 3);
  CHECK(all.transitions == 6);
  CHECK(all.iterations == 3);
  CHECK(all.dropped == 0);
}

TEST_CASE("a program without a collector records none") {
  CHECK(recorded({.operations = true, .collector = "native", .cap_bytes = room}).collector == "none");
}

TEST_CASE("kernels of a GPU are seen busy for as long as they ran, and sampled in every period that one touched") {
  const auto use = [](std::int64_t period_ns) {
    RecordedRun run({.operations = true, .cap_bytes = room, .period_ns = period_ns}, "test");
    const auto now = [] { return read_clock_pair(ClockSource::monotonic).ns; };
    const std::uint64_t begin = now();
    while (now() < begin + 2'000'000) continue;
    const std::vector<GpuInterval> kernels{{.begin_ns = begin + 500'000, .end_ns = begin + 600'000}};
    record_gpu(kernels);
    return run.ended(1).gpu.value();
  };
  const GpuUse fine = use(1), coarse = use(std::int64_t{1} << 50U);
  CHECK(fine.busy > 0);
  CHECK(fine.busy <= 100'000.0 / 2'000'000);  // the region is longer than the wait
  CHECK(fine.sampled == fine.busy);           // a period of 1 ns sees what is
  CHECK(coarse.sampled == 1);
  CHECK_FALSE(recorded({.operations = true, .cap_bytes = room}).gpu.has_value());
}

TEST_CASE("events beyond the cap are counted, and the next run starts afresh") {
  CHECK(recorded({.operations = true, .cap_bytes = 1}).dropped == 12);
  CHECK(recorded({.operations = true, .cap_bytes = room}).dropped == 0);
}

TEST_CASE("a run that fails leaves no recording behind") {
  try {
    const RecordedRun run({.operations = true, .layers = true, .cap_bytes = room}, "test");
    throw std::runtime_error("the training failed");
  } catch (const std::runtime_error&) {
  }
  CHECK_FALSE(is_recording());
  CHECK(recorded({.operations = true, .cap_bytes = room}).events == 12);
}

TEST_CASE("order and profile survive their way to the worker and back") {
  const ProfileOrder order{.operations = true, .collector = "native", .cap_bytes = 77, .trace = "a/b.rtrace"};
  CHECK(json_of(profile_order_from(json_of(order))) == json_of(order));
  const RunProfile run = recorded({.operations = true, .layers = true, .cap_bytes = room});
  const RunProfile back = run_profile_from(json_of(run));
  CHECK(back.table == run.table);
  CHECK(back.counts == run.counts);
  CHECK(json_of(back) == json_of(run));
  Json broken = json_of(run);
  broken["counts"]["inner"]["hooks"] = {{"Nowhere", 1}};
  CHECK_THROWS(run_profile_from(broken));
}

}  // namespace retrial::tests::run_profile_tests
