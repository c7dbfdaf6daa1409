// What annotations leave, and which are refused.
#include "workloads/profiler/recording/annotation.hpp"

#include <cmath>
#include <thread>

#include "tests/catch.hpp"
#include "workloads/profiler/overlap/table.hpp"
#include "workloads/profiler/overlap/transitions.hpp"

namespace retrial::tests::profiler_annotation_tests {

using namespace retrial;
using namespace retrial::profiler;

namespace {

/// A recording that ends with the test.
class Recorded {
 public:
  explicit Recorded(std::uint64_t cap = std::uint64_t{1} << 26U, ClockSource source = ClockSource::monotonic) {
    start_recording({.source = source, .cap_bytes = cap});
    begin_profile("program", "phase");
  }
  Recording stop() {
    end_profile();
    stopped_ = true;
    return stop_recording();
  }
  ~Recorded() {
    if (!stopped_) static_cast<void>(stop());
  }

 private:
  bool stopped_ = false;
};

void spin(std::uint64_t ns) {
  const std::uint64_t end = ns_of(CLOCK_MONOTONIC) + ns;
  while (ns_of(CLOCK_MONOTONIC) < end) {
  }
}

}  // namespace

TEST_CASE("operations and layers of a thread become nested spans") {
  Recorded recorded;
  {
    RETRIAL_OPERATION("outer");
    const Operation inner("inner");
    const Layer layer(Category::backend);
    count_inner_call();
    count_inner_call();
  }
  const Timeline t = timeline_of(recorded.stop());
  REQUIRE(t.operations.size() == 2);
  CHECK(t.name(t.operations[0].name) == "outer");
  CHECK(t.name(t.operations[1].name) == "inner");
  CHECK(t.operations[0].start <= t.operations[1].start);
  CHECK(t.operations[0].end >= t.operations[1].end);
  REQUIRE(t.layers.size() == 1);
  CHECK(t.layers[0].id == 2);  // inner calls only count
  const auto counts = event_counts(t, thread_times(t));
  CHECK(counts.at({"phase", "inner"}).hooks.at(Category::backend) == 3);
  CHECK(t.faults == Faults{});
}

TEST_CASE("without a recording annotations leave nothing, whatever they are") {
  const NameId name = intern("x");
  const Operation operation(name);
  push_operation(name);
  pop_operation(intern("never pushed"));
  report_progress(0.0);
  adopt_operation({name});
  CHECK_FALSE(is_recording());
  CHECK(current_operation().name == no_name);
}

TEST_CASE("a pop names what it expected and what is on top") {
  Recorded recorded;
  const NameId a = intern("a"), b = intern("b");
  CHECK_THROWS_WITH(pop_operation(a), "pop_operation: expected 'a' on top, and no operation is open");
  push_operation(a);
  push_operation(b);
  CHECK_THROWS_WITH(pop_operation(a), "pop_operation: expected 'a' on top, got 'b'");
  pop_operation(b);
  pop_operation(a);
  const Timeline t = timeline_of(recorded.stop());
  CHECK(t.operations.size() == 2);
  CHECK(t.faults.open == 0);
}

TEST_CASE("an exception closes the operations that it leaves, pushed ones inside them too") {
  Recorded recorded;
  try {
    const Operation operation("left");
    push_operation(intern("forgotten"));
    throw std::runtime_error("out");
  } catch (const std::runtime_error&) {
  }
  const Operation after("after");
  const Timeline t = timeline_of(recorded.stop());
  CHECK(t.faults.open == 1);  // "after" is open while the recording ends
  CHECK(t.operations[2].open);
  CHECK_FALSE(t.operations[1].open);
  CHECK(t.operations[1].end <= t.operations[2].start);
}

TEST_CASE("regions do not nest, end once, and take the same time whether or not anything is recorded") {
  CHECK_THROWS_AS(end_profile(), AnnotationError);
  begin_profile("program", "one");
  CHECK_THROWS_WITH(begin_profile("program", "two"), has_text("regions do not nest"));
  spin(1'000'000);
  CHECK(end_profile() >= 1'000'000);
  CHECK_THROWS_AS(end_profile(), AnnotationError);
  CHECK_THROWS_AS(stop_recording(), AnnotationError);
}

TEST_CASE("an operation that a region cuts is flagged") {
  start_recording({});
  {
    const Operation before("across");
    begin_profile("program", "phase");
  }
  end_profile();
  const Timeline t = timeline_of(stop_recording());
  CHECK(t.faults.clipped == 1);
  CHECK(t.operations[0].start <= 0);
}

TEST_CASE("progress is a fraction that does not decrease") {
  Recorded recorded;
  report_progress(0.25);
  CHECK_THROWS_WITH(report_progress(0.2), has_text("does not decrease"));
  CHECK_THROWS_AS(report_progress(-0.1), AnnotationError);
  CHECK_THROWS_AS(report_progress(1.1), AnnotationError);
  CHECK_THROWS_AS(report_progress(std::nan("")), AnnotationError);
  CHECK_THROWS_AS(report_progress(std::uint64_t{1}, std::uint64_t{0}), AnnotationError);
  report_progress(3, 4);
  const Timeline t = timeline_of(recorded.stop());
  REQUIRE(t.progress.size() == 2);
  CHECK(t.progress[0].value == 250'000);
  CHECK(t.progress[1].value == 3);
  // A process that trains again, with nothing recorded.
  report_progress(1.0);
  CHECK_NOTHROW(report_progress(0.1));
  CHECK_THROWS_AS(report_progress(1.1), AnnotationError);
}

TEST_CASE("calls that another profiler saw join the thread's events by time") {
  Recorded recorded;
  const std::uint64_t begin = ns_of(CLOCK_REALTIME);
  {
    RETRIAL_OPERATION("outer");
    spin(3'000'000);
    const Layer layer(Category::simulator);
  }
  const std::vector<LayerInterval> seen{{begin + 1'000'000, begin + 1'500'000, 4},
                                        {begin + 2'000'000, begin + 2'250'000, 0}};
  record_layers(Category::backend, seen);
  const Timeline t = timeline_of(recorded.stop());
  REQUIRE(t.layers.size() == 3);
  CHECK(t.layers[0].category == Category::backend);
  CHECK(t.layers[2].category == Category::simulator);
  CHECK(t.layers[0].id == 4);                                               // inner calls
  CHECK(std::fabs(static_cast<double>(t.layers[0].length()) - 5e5) < 5e3);  // both clocks, within 1 %
  CHECK(std::fabs(static_cast<double>(t.layers[1].length()) - 2.5e5) < 2.5e3);
  CHECK(t.layers[0].start > t.operations[0].start);
  CHECK(t.layers[1].end < t.operations[0].end);
  CHECK(t.faults.clamped == 0);
}

TEST_CASE("a layer is one of a CPU") {
  Recorded recorded;
  CHECK_THROWS_WITH(Layer(Category::gpu_kernel), has_text("not a layer of a CPU"));
}

TEST_CASE("a thread works for an operation of another, and not while it has one of its own") {
  Recorded recorded;
  const Operation operation("rollout");
  const OperationToken token = current_operation();
  std::thread([&] {
    adopt_operation(token);
    {
      const Operation own("step");
      CHECK_THROWS_WITH(adopt_operation({}), has_text("an operation of its own, 'step'"));
    }
    adopt_operation({});
  }).join();
  const Timeline t = timeline_of(recorded.stop());
  REQUIRE(t.operations.size() == 3);
  CHECK(t.operations[1].adopted);
  const auto counts = event_counts(t, thread_times(t));
  CHECK(counts.at({"phase", "rollout"}).annotations == 2);  // itself and step: adopting costs no annotation
}

TEST_CASE("events of 16 threads are all there") {
  Recorded recorded;
  std::vector<std::thread> threads;
  constexpr int each = 20'000;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([] {
      for (int n = 0; n < each; ++n) RETRIAL_OPERATION("work");
    });
  for (std::thread& thread : threads) thread.join();
  const Recording r = recorded.stop();
  CHECK(r.events() == 16 * each * 2);
  CHECK(r.dropped() == 0);
  CHECK(timeline_of(r).operations.size() == 16 * each);
}

TEST_CASE("at the cap the newest events are dropped and counted") {
  constexpr std::uint64_t block = 16384 * sizeof(Event);
  Recorded recorded(2 * block + 100);
  for (int n = 0; n < 50'000; ++n) RETRIAL_OPERATION("work");
  const Recording r = recorded.stop();
  CHECK(r.events() == 2 * 16384);
  CHECK(r.dropped() == 100'000 - 2 * 16384);
  CHECK(timeline_of(r).faults.dropped == r.dropped());
}

TEST_CASE("work of a GPU and intercepted calls are matched by correlation id") {
  Recorded recorded;
  {
    const Operation operation("inference");
    begin_api_call(intern("cudaLaunchKernel"), 7);
    const std::uint64_t now = ns_of(CLOCK_REALTIME);
    spin(20'000);
    end_api_call(0);
    record_gpu(std::vector<GpuInterval>{{.device = 1,
                                         .stream = 3,
                                         .name = intern("gemm"),
                                         .begin_ns = now + 10'000,
                                         .end_ns = now + 15'000,
                                         .correlation = 7}});
    spin(20'000);
  }
  const Timeline t = timeline_of(recorded.stop());
  REQUIRE(t.gpu.size() == 1);
  CHECK(t.lanes[t.gpu[0].lane].group == 1);
  CHECK(t.lanes[t.gpu[0].lane].number == 3);
  CHECK(t.gpu[0].length() == 5'000);
  CHECK(gpu_by_operation(t, thread_times(t)).at("inference") == GpuTime{5'000, 5'000});
}

TEST_CASE("time that a thread spins is told by operation and layer to within 1 %") {
  // The truth: readings of CLOCK_MONOTONIC just inside and just outside of each operation.
  struct Truth {
    std::uint64_t inside = 0, outside = 0;
  };
  const auto demand_within = [](std::uint64_t ns, const Truth& truth) {
    CHECK(static_cast<double>(ns) >= 0.99 * static_cast<double>(truth.inside));
    CHECK(static_cast<double>(ns) <= 1.01 * static_cast<double>(truth.outside));
  };
  for (const ClockSource source : {ClockSource::monotonic, clock_source(std::nullopt)}) {
    std::map<std::string, Truth> truth;
    Recorded recorded(std::uint64_t{1} << 26U, source);
    const auto work = [&](const char* name, std::uint64_t ns, bool simulates) {
      const std::uint64_t before = ns_of(CLOCK_MONOTONIC);
      {
        const Operation operation(name);
        std::optional<Layer> layer;
        if (simulates) layer.emplace(Category::simulator);
        const std::uint64_t begin = ns_of(CLOCK_MONOTONIC);
        spin(ns);
        truth[name].inside += ns_of(CLOCK_MONOTONIC) - begin;
      }
      truth[name].outside += ns_of(CLOCK_MONOTONIC) - before;
    };
    for (int i = 0; i < 40; ++i) {
      work("inference", 300'000, false);
      work("simulation", 150'000, true);
      work("backprop", 50'000, false);
    }
    const Timeline t = timeline_of(recorded.stop());
    const Table table = table_of(t, thread_times(t));
    for (const auto& [name, readings] : truth) demand_within(resources_by_operation(table).at(name).cpu(), readings);
    demand_within(category_totals(table).at(Category::simulator), truth.at("simulation"));
    CHECK(total(table) == t.wall());
    const Transitions changes = transitions(t, thread_times(t));
    CHECK(changes.at({"simulation", Category::app, Category::simulator}) == 40);
  }
}

}  // namespace retrial::tests::profiler_annotation_tests
