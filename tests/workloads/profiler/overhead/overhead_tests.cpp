// Expected values: sections 24.1 (R-OV-4) and 24.2 (R-CAL) of the specification of the profiler.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/profiler/overlap/example.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/profiler/overhead/calibration.hpp"
#include "workloads/profiler/overhead/validation.hpp"
#include "workloads/profiler/overhead/windows.hpp"

namespace retrial::tests::profiler_overhead_tests {

using namespace retrial;
using namespace retrial::profiler;

namespace {

std::uint64_t cell(const Table& table, const std::string& operation, Categories categories) {
  const auto found = table.find({{operation}, categories});
  return found == table.end() ? 0 : found->second;
}
constexpr Categories app = bit_of(Category::app), backend = bit_of(Category::backend),
                     cuda = bit_of(Category::cuda_api), simulator = bit_of(Category::simulator);

const std::vector<OnOff> undetectable{{5.004e9, 5.002e9, 1000}, {5.001e9, 5.003e9, 1000}, {5.010e9, 5.001e9, 1000}};

/// Blocks whose mean is the cost; no spread.
CostEstimate known(const std::string& kind, double cost) {
  return calibrate_difference(kind, std::vector<OnOff>(5, {cost * 1000, 0, 1000}), 1);
}

}  // namespace

TEST_CASE("overhead removed by windows: what is charged is discarded, or stays as time of the GPU") {
  const Timeline t = profiler_example::e2();  // tenths: 0.4, 0.5 and 0.3 are 4, 5 and 3
  const auto threads = thread_times(t);
  const EventCosts costs{.annotation = 4, .api_callback = 3, .hooks = {}, .calls = {{"cudaLaunchKernel", 5}}};
  const auto out = without_overhead(table_of(t, threads, overhead_windows(t, threads, costs)));
  CHECK(out.charged == 52);
  CHECK(out.discarded == 30);
  CHECK(out.moved == 22);
  CHECK(total(out.table) == 970);
  CHECK(cell(out.table, "train", app) == 96);
  CHECK(cell(out.table, "step", app) == 146);
  CHECK(cell(out.table, "inference", app) == 36);
  CHECK(cell(out.table, "inference", backend) == 60);
  CHECK(cell(out.table, "inference", backend | gpu_bit) == 64);
  CHECK(cell(out.table, "inference", cuda) == 15);
  CHECK(cell(out.table, "inference", cuda | gpu_bit) == 5);
  CHECK(cell(out.table, "inference", gpu_bit) == 11);
  CHECK(cell(out.table, "simulation", app) == 36);
  CHECK(cell(out.table, "simulation", simulator) == 160);
  CHECK(cell(out.table, "backprop", app) == 66);
  CHECK(cell(out.table, "backprop", backend) == 50);
  CHECK(cell(out.table, "backprop", backend | gpu_bit) == 154);
  CHECK(cell(out.table, "backprop", cuda) == 25);
  CHECK(cell(out.table, "backprop", cuda | gpu_bit) == 35);
  CHECK(cell(out.table, "backprop", gpu_bit) == 11);
}

TEST_CASE("a window stays in its operation, and the one of a hook lies before its layer") {
  const Timeline t = profiler_example::e2();
  const auto threads = thread_times(t);
  std::vector<Interval> annotations, hooks;
  for (const Span& s : overhead_windows(t, threads, {.annotation = 300, .hooks = {{Category::simulator, 50}}}))
    (s.category == Category::prof_annotation ? annotations : hooks).push_back(s);
  REQUIRE(annotations.size() == 5);
  CHECK(annotations[0] == Interval{0, 50});     // train, cut by step
  CHECK(annotations[2] == Interval{100, 300});  // inference, cut by its end
  REQUIRE(hooks.size() == 1);
  CHECK(hooks[0] == Interval{300, 320});  // cut by the begin of simulation
}

TEST_CASE("difference of averages: 5.0000 and 4.9610 us") {
  const std::vector<CallTimes> blocks{{{1000, 12.0e6}, {1000, 7.0e6}}, {{1100, 13.0e6}, {1050, 7.2e6}}};
  const CostEstimate e = calibrate_call("cupti:cudaLaunchKernel", blocks, 1);
  CHECK_THAT(e.blocks.at(0), WithinRel(5000.0, 1e-12));
  CHECK_THAT(e.blocks.at(1), WithinRel(4961.038961038961, 1e-12));
  CHECK(e.status == CostStatus::estimated);
  CHECK(calibrate_call("cupti:x", std::vector<CallTimes>{{{1000, 1e6}, {0, 0}}}, 1).status == CostStatus::not_observed);
}

TEST_CASE("an overhead that cannot be detected is 0 and says so, and keeps its variance") {
  const CostEstimate e = calibrate_difference("annotation", undetectable, 1);
  CHECK_THAT(e.mean, WithinRel(3000.0, 1e-9));
  CHECK_THAT(e.sd.value(), WithinRel(5567.764362830022, 1e-9));
  CHECK_THAT(e.standard_error.value(), WithinRel(3214.550253664318, 1e-9));
  CHECK_THAT(e.student->low, WithinAbs(-10830, 5));
  CHECK_THAT(e.student->high, WithinAbs(16830, 5));
  CHECK(e.cost == 0);
  CHECK(e.status == CostStatus::not_detectable);
  CHECK(name_of(e.status) == "not_detectable");
  // The same blocks the other way round: a negative estimate.
  std::vector<OnOff> negative;
  for (const OnOff& b : undetectable) negative.push_back({b.off_ns, b.on_ns, b.events});
  CHECK(calibrate_difference("annotation", negative, 1).cost == 0);
  CHECK(calibrate_difference("annotation", negative, 1).status == CostStatus::not_detectable);
}

TEST_CASE("estimates without events, without spread, from one block, from no time") {
  CHECK(calibrate_difference("x", std::vector<OnOff>{{5, 4, 0}, {5, 4, 0}}, 1).status == CostStatus::no_events);
  const CostEstimate exact = known("x", 65);
  CHECK(exact.cost == 65);
  CHECK(exact.interval()->low == 65);
  CHECK(exact.interval()->high == 65);
  const CostEstimate one = calibrate_difference("x", std::vector<OnOff>{{1000, 0, 10}}, 1);
  CHECK(one.status == CostStatus::no_interval);
  CHECK(one.cost == 100);
  CHECK_FALSE(one.interval());
  CHECK_THROWS_WITH(calibrate_difference("hooks", std::vector<OnOff>{{5, 4, 1}, {std::nan(""), 4, 1}}, 1),
                    has_text("hooks on in block 1"));
  CHECK_THROWS_WITH(calibrate_difference("hooks", std::vector<OnOff>{{5, -4, 1}}, 1), has_text("off in block 0"));
}

TEST_CASE("the variance of every estimate reaches the corrected time") {
  const double var = 0.05 * 0.05 / 3 * 1e18;  // of 12.0, 12.1, 12.05 s: sd 0.05
  const std::vector<Charge> charges{{200'000, 2500, 60}, {40'000, 5000, 200}};
  const CorrectedTime t = corrected_time(12.05e9, var, charges);
  CHECK_THAT(t.ns, WithinRel(11.35e9, 1e-12));
  CHECK_THAT(t.variance, WithinRel(1.041333333e15, 1e-8));
  CHECK_THAT(t.standard_error(), WithinRel(0.0322697e9, 1e-6));
  CHECK_THAT(100 * (t.ns - 11.30e9) / 11.30e9, WithinAbs(0.442478, 1e-6));
}

TEST_CASE(
    "correction by count takes from the layer that was charged, moves what fell under the GPU, and reports the rest") {
  const Timeline t = profiler_example::e2();
  const Table table = table_of(t, thread_times(t));
  const auto out =
      corrected_by_count(table, {{"inference", Category::cuda_api, 10, 0.5}, {"step", Category::app, 200, 0}});
  CHECK(out.charged == 210);
  CHECK(out.moved == 5);
  CHECK(out.discarded == 155);
  CHECK(out.unplaced == 50);
  CHECK(out.cells.at({{"inference"}, cuda | gpu_bit}) == 5);
  CHECK(out.cells.at({{"inference"}, cuda}) == 15);
  CHECK(out.cells.at({{"inference"}, gpu_bit}) == 5);
  CHECK(out.cells.at({{"step"}, app}) == 0);
}

TEST_CASE("a profile is valid inside the tolerance, with nothing dropped and equal digests") {
  const std::vector<CostEstimate> estimates{known("annotation", 65)};
  std::vector<ProfiledPair> pairs;
  for (int i = 0; i < 5; ++i)
    pairs.push_back({.off_ns = 1e9 + i * 1e6, .full_ns = 1e9 + i * 1e6 + 65e6, .events = {{"annotation", 1'000'000}}});
  const Validation v = validate(pairs, estimates, 5, 1);
  CHECK(v.valid);
  CHECK_THAT(v.bias, WithinAbs(0, 1e-9));
  CHECK(v.bias_interval->low <= v.bias);
  CHECK(v.bias_interval->high >= v.bias);
  CHECK(v.slow_down > 1.06);

  auto hidden = pairs;  // a cost that no calibration saw
  for (ProfiledPair& p : hidden) p.full_ns += 80e6;
  CHECK_FALSE(validate(hidden, estimates, 5, 1).valid);
  CHECK(validate(hidden, estimates, 5, 1).bias > 7);
  CHECK(validate(hidden, estimates, 9, 1).valid);

  auto dropped = pairs;
  dropped[3].dropped = 7;
  CHECK(validate(dropped, estimates, 5, 1).reasons == std::vector<std::string>{"7 events were dropped"});

  auto other = pairs;
  other[0].same_digests = false;
  CHECK(validate(other, estimates, 5, 1).digests_differ);
  CHECK_FALSE(validate(other, estimates, 5, 1).valid);

  Validation judged;
  CHECK(correction_verdict(judged, 5) == "INCONCLUSIVE");  // no interval
  const auto with = [&](double low, double high) {
    judged.bias_interval = CostInterval{.low = low, .high = high};
    return correction_verdict(judged, 5);
  };
  CHECK(with(-5, 5) == "HOLDS");
  CHECK(with(-1, 5.1) == "INCONCLUSIVE");
  CHECK(with(-5.1, 1) == "INCONCLUSIVE");
  CHECK(with(5.1, 9) == "REFUTED");
  CHECK(with(-9, -5.1) == "REFUTED");

  CHECK_THROWS_AS(validate({}, estimates, 5, 1), InvalidInput);
  CHECK_FALSE(validate(std::vector{pairs[0]}, estimates, 5, 1).bias_interval);
}

TEST_CASE("the interval of the bias holds the spread of blocks and of pairs") {
  std::vector<OnOff> blocks;
  for (const double cost : {60.0, 62.0, 65.0, 68.0, 70.0}) blocks.push_back({cost * 1e6, 0, 1'000'000});
  const std::vector<CostEstimate> estimates{calibrate_difference("annotation", blocks, 1)};
  std::vector<ProfiledPair> pairs(
      5, ProfiledPair{.off_ns = 1e9, .full_ns = 1.065e9, .events = {{"annotation", 1'000'000}}});
  const Validation of_blocks = validate(pairs, estimates, 5, 1);
  // All of the spread is that of the blocks: 1.6 ns standard error on a million events of 1 s, 0.16 %.
  CHECK_THAT(of_blocks.bias_interval->high - of_blocks.bias_interval->low, WithinAbs(2 * 1.96 * 0.166, 0.12));
  pairs[0].full_ns += 50e6;
  CHECK(validate(pairs, estimates, 5, 1).bias_interval->high > of_blocks.bias_interval->high + 0.5);
  CHECK(validate(pairs, estimates, 5, 1).bias_interval->low == validate(pairs, estimates, 5, 1).bias_interval->low);
}

}  // namespace retrial::tests::profiler_overhead_tests
