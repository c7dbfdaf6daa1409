// Expected values: section 24.1 (R-OV-2, R-OV-3) of the specification of the profiler.
#include "workloads/profiler/overlap/table.hpp"

#include "tests/catch.hpp"
#include "tests/workloads/profiler/overlap/example.hpp"
#include "workloads/profiler/overlap/transitions.hpp"

namespace retrial::tests::profiler_table_tests {

using namespace retrial;
using profiler::Category, profiler::Table, profiler::Timeline;
using profiler_example::e2, profiler_example::span;

namespace {

Table table_of(const Timeline& t) {
  return profiler::table_of(t, profiler::thread_times(t));
}

std::uint64_t count(const profiler::Transitions& t, const std::string& operation, Category from, Category to) {
  const auto found = t.find({operation, from, to});
  return found == t.end() ? 0 : found->second;
}

}  // namespace

TEST_CASE("layers partition the time of a thread, and resources add up to the region") {
  const Table table = table_of(e2());
  const auto layers = profiler::category_totals(table);
  CHECK(layers.at(Category::app) == 400);
  CHECK(layers.at(Category::backend) == 340);
  CHECK(layers.at(Category::cuda_api) == 100);
  CHECK(layers.at(Category::simulator) == 160);
  CHECK(profiler::resources_of(table) == profiler::Resources{.cpu_only = 720, .gpu_only = 0, .both = 280, .idle = 0});
  CHECK(profiler::total(table) == e2().wall());
}

TEST_CASE("time of an operation is exclusive") {
  const auto by_operation = profiler::resources_by_operation(table_of(e2()));
  CHECK(by_operation.at("train").cpu() == 100);
  CHECK(by_operation.at("step").cpu() == 150);
  CHECK(by_operation.at("inference").cpu() == 200);
  CHECK(by_operation.at("simulation").cpu() == 200);
  CHECK(by_operation.at("backprop").cpu() == 350);
  CHECK(by_operation.at("backprop").gpu() == 200);
}

TEST_CASE("changes of layer are counted under the operation of that instant") {
  const Timeline t = e2();
  const auto counted = profiler::transitions(t, profiler::thread_times(t));
  for (const std::string operation : {"inference", "backprop"}) {
    CHECK(count(counted, operation, Category::app, Category::backend) == 1);
    CHECK(count(counted, operation, Category::backend, Category::cuda_api) == 2);
    CHECK(count(counted, operation, Category::cuda_api, Category::backend) == 2);
    CHECK(count(counted, operation, Category::backend, Category::app) == 1);
  }
  CHECK(count(counted, "simulation", Category::app, Category::simulator) == 1);
  CHECK(count(counted, "simulation", Category::simulator, Category::app) == 1);
  std::uint64_t all = 0;
  for (const auto& [transition, n] : counted) all += n;
  CHECK(all == 14);
}

TEST_CASE("nothing is dropped: time without operation and time in which nothing ran stay in the table") {
  Timeline t = e2();
  t.regions = {{{0, 2000}, "training", profiler::no_lane}};
  t.operations.erase(t.operations.begin());  // train
  const Table table = table_of(t);
  CHECK(profiler::total(table) == 2000);
  CHECK(table.at({{}, 0}) == 1100);  // before the first event of the thread at 50, and after its last at 950
  CHECK(profiler::resources_by_operation(table).contains("(none)"));
}

TEST_CASE("an operation is cut at the region, and what lies outside is not reported") {
  Timeline t = e2();
  t.regions = {{{200, 400}, "one", 0}, {{800, 900}, "two", 0}};
  const Table table = table_of(t);
  CHECK(profiler::total(table) == 300);
  CHECK(profiler::resources_by_operation(table).at("backprop").cpu() == 100);
  CHECK(profiler::clipped_operations(t) == 5);
}

TEST_CASE("a thread without an operation works for the one thread that has one, and for none if several have") {
  Timeline t;
  t.names = {"a", "b", "Backend"};
  t.lanes = {{.name = "0"}, {.name = "1"}, {.name = "2"}};
  t.regions = {{{0, 1000}, "all", 0}};
  t.operations = {span(0, 60, 0, 0, Category::app), span(40, 80, 1, 1, Category::app)};
  t.layers = {span(10, 20, 2, 2, Category::backend), span(45, 50, 2, 2, Category::backend),
              span(70, 75, 2, 2, Category::backend), span(90, 95, 2, 2, Category::backend)};
  const auto counted = profiler::transitions(t, profiler::thread_times(t));
  CHECK(count(counted, "a", Category::backend, Category::app) == 1);
  CHECK(count(counted, "(none)", Category::app, Category::backend) == 2);
  CHECK(count(counted, "b", Category::app, Category::backend) == 1);
  const Table table = table_of(t);
  CHECK(profiler::resources_by_operation(table).at("a + b").cpu() == 200);
}

TEST_CASE("an annotation is charged to the operation around it, the outermost to itself") {
  const Timeline t = e2();
  const auto counts = profiler::event_counts(t, profiler::thread_times(t));
  const auto of = [&](const std::string& operation) { return counts.at({"training", operation}); };
  CHECK(of("train").annotations == 3);  // itself, step, backprop
  CHECK(of("step").annotations == 2);
  CHECK(of("inference").calls.at("cudaLaunchKernel") == 2);
  CHECK(of("backprop").hooks.at(Category::backend) == 1);
  CHECK(of("simulation").hooks.at(Category::simulator) == 1);
}

TEST_CASE("a table of one thread holds the work of the GPU that its calls launched") {
  Timeline t = e2();
  t.lanes.push_back({.name = "thread 1"});
  t.layers.push_back(span(30, 80, 5, 2, Category::backend));
  const auto threads = profiler::thread_times(t);
  REQUIRE(threads.size() == 2);
  CHECK(profiler::resources_of(profiler::table_of_thread(t, threads[0])).gpu() == 280);
  CHECK(profiler::resources_of(profiler::table_of_thread(t, threads[1])).gpu() == 0);
  CHECK(profiler::total(profiler::table_of_thread(t, threads[1])) == 500);
}

}  // namespace retrial::tests::profiler_table_tests
