// Schedules: planted violations and properties; reference values are in reference_tests.cpp.
#include "workloads/pipeline/analysis/schedule.hpp"

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::schedule_tests {

using namespace retrial;
using namespace retrial::pipeline;

namespace {

std::string violation(const std::string& text) {
  try {
    static_cast<void>(read_program(text, "p.csv"));
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    return error.what();
  }
  return "sound";
}

std::string csv_of(const Schedule& schedule) {
  std::string out = "stage,op,index\n";
  for (std::size_t s = 0; s < schedule.size(); ++s)
    for (const auto& entry : schedule[s])
      out += std::to_string(s) + "," + static_cast<char>(entry.pass) + "," + std::to_string(entry.index) + "\n";
  return out;
}

/// Smallest largest sum of all cuts, by trying them.
double by_trial(const std::vector<double>& costs, std::size_t from, std::int64_t parts) {
  double sum = 0, best = 1e300;
  for (std::size_t to = from; to < costs.size(); ++to) {
    sum += costs[to];
    if (parts == 1) continue;
    best = std::min(best, std::max(sum, by_trial(costs, to + 1, parts - 1)));
  }
  return parts == 1 ? (from < costs.size() ? sum : 1e300) : best;
}

}  // namespace

TEST_CASE("a program that was written to a file is the same program", "[pipeline]") {
  for (const char* kind : {"gpipe", "1f1b", "pb"}) {
    const auto schedule = program(kind, 4, 8);
    const auto found = simulate_schedule(schedule, 1, 2, 1),
               again = simulate_schedule(read_program(csv_of(schedule), "p.csv"), 1, 2, 1);
    CHECK(found.deadlock.empty());
    CHECK(again.makespan == found.makespan);
    CHECK(again.peak_in_flight == found.peak_in_flight);
  }
}

TEST_CASE("a weight gradient of its own waits for its backward, and holds its sample", "[pipeline]") {
  const auto schedule = read_program("0,F,0\n0,F,1\n0,B,0\n0,B,1\n0,W,1\n0,W,0\n", "p.csv");
  const auto found = simulate_schedule(schedule, 1, 2, 0, 3);
  CHECK(found.makespan == 12);
  CHECK(found.peak_in_flight == std::vector<std::int64_t>{2});
  CHECK(found.busy_share == 1);
  CHECK(found.stages[0][4].start == 6);
}

TEST_CASE("the first violation of a program is named with its line", "[pipeline]") {
  CHECK(violation("0,F,0\n0,B,0\n") == "sound");
  CHECK(violation("stage,op,index\r\n0,F,0\r\n0,B,0\r\n") == "sound");
  CHECK_THAT(violation("0,F,0\n0,F,0\n0,B,0\n"), has_text("p.csv:2") && has_text("stage 0 = F0: a second time"));
  CHECK_THAT(violation("0,F,0\n1,F,0\n1,B,0\n"), has_text("stage 0 = B0: missing"));
  CHECK_THAT(violation("0,B,0\n0,F,0\n"), has_text("p.csv:1") && has_text("B0: before its F0"));
  CHECK_THAT(violation("0,F,0\n0,W,0\n0,B,0\n"), has_text("p.csv:2") && has_text("W0: before its B0"));
  CHECK_THAT(violation("0,F,0\n0,B,0\n0,W,0\n0,F,1\n0,B,1\n"), has_text("W1: missing"));
  CHECK_THAT(violation("0,F,0\n2,F,0\n0,B,0\n2,B,0\n"), has_text("stage 1 = F0: missing"));
  for (const char* line : {"0,G,0", "0,F", "0;F;0", "-1,F,0", "512,F,0", "0,F,x", "0,F,0,1", "0,F,100000"})
    CHECK_THAT(violation("0,F,0\n" + std::string(line) + "\n"), has_text("p.csv:2") && has_text("not an entry"));
  CHECK_THAT(violation(""), has_text("no entries"));
}

TEST_CASE("a program that cannot go on is a deadlock with the waiting entry of each stage", "[pipeline]") {
  const auto schedule = read_program("0,F,0\n0,B,0\n0,F,1\n0,B,1\n1,F,1\n1,B,1\n1,F,0\n1,B,0\n", "p.csv");
  const auto found = simulate_schedule(schedule, 1, 1, 0);
  REQUIRE(found.deadlock.size() == 2);
  CHECK(found.deadlock[0].stage == 0);
  CHECK(found.deadlock[0].entry == "B0");
  CHECK(found.deadlock[0].needs == "B0 of stage 1");
  CHECK(found.deadlock[1].entry == "F1");
  CHECK(found.deadlock[1].needs == "F1 of stage 0");
  CHECK(found.stages[0].size() == 1);
}

TEST_CASE("a trace and a drawing have every pass", "[pipeline]") {
  const auto found = simulate_schedule(program("1f1b", 3, 5), 1, 2, 1);
  const Json events = Json::parse(chrome_trace(found)).at("traceEvents");
  CHECK(events.size() == 3 + 2 * 3 * 5);
  double last = 0;
  for (const auto& event : events)
    if (event.at("ph") == "X") last = std::max(last, event.at("ts").get<double>() + event.at("dur").get<double>());
  CHECK(last == found.makespan);
  const std::string svg = timeline_svg(found);
  CHECK(svg.starts_with("<svg xmlns="));
  CHECK(svg.ends_with("</svg>"));
  for (const char* word : {"forward", "backward", "stage 2"}) CHECK_THAT(svg, has_text(word));
  const auto figure = timeline_figure("t", "d", found);  // two points and a lifted pen for each pass
  REQUIRE(figure.plot.series.size() == 2);
  for (const auto& series : figure.plot.series) CHECK(series.points.size() == 3 * 15);
}

TEST_CASE("utilisation names its slot model", "[pipeline]") {
  CHECK(utilisation("tick", 8, 4).ticks == 14);
  CHECK_FALSE(utilisation("tick", 8, 4).bubble);
  CHECK_FALSE(utilisation("slot", 8, 4).ticks);
  CHECK_THROWS_AS(utilisation("both", 1, 1), InvalidInput);
  CHECK_THROWS_AS(utilisation("tick", 0, 1), InvalidInput);
}

TEST_CASE("balanced blocks are as small as any, with the first cuts", "[pipeline]") {
  const std::vector<double> costs{4, 2, 7, 1, 3, 6, 2, 5};
  CHECK(partition(costs, 2).largest == 16);
  CHECK(partition(costs, 2).cuts == std::vector<std::int64_t>{4});
  CHECK(partition(costs, 4).largest == 9);
  CHECK(partition(costs, 4).cuts == std::vector<std::int64_t>{2, 4, 6});
  for (std::int64_t parts = 1; parts <= 8; ++parts) CHECK(partition(costs, parts).largest == by_trial(costs, 0, parts));
  CHECK(partition({1, 1, 1, 3}, 2).cuts == std::vector<std::int64_t>{3});
  CHECK(partition({3, 1, 1}, 2).cuts == std::vector<std::int64_t>{1});
  CHECK_THROWS_WITH(partition({1, 2}, 3), has_text("parts = 3"));
  CHECK_THROWS_AS(partition({}, 1), InvalidInput);
  CHECK_THROWS_AS(partition({1, 0}, 1), InvalidInput);
}

TEST_CASE("programs outside the limits are refused", "[pipeline]") {
  CHECK_THROWS_AS(program("zigzag", 2, 2), InvalidInput);
  CHECK_THROWS_AS(program("pb", 513, 2), InvalidInput);
  CHECK_THROWS_AS(program("pb", 0, 2), InvalidInput);
  CHECK_THROWS_AS(program("pb", 2, 0), InvalidInput);
  CHECK_THROWS_AS(program("pb", 2, 50'001), InvalidInput);
}

}  // namespace retrial::tests::schedule_tests
