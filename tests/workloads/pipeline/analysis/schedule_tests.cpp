// Schedules against reference values of two independent programs, and planted violations.
#include "workloads/pipeline/analysis/schedule.hpp"

#include <regex>
#include <sstream>

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

TEST_CASE("schedules have the makespan, utilisation and samples in flight of the reference", "[pipeline]") {
  const std::string table =
      R"(gpipe, S=4, M=8, t_F=1, t_B=1, c=0: makespan 22, utilisation 0.727273, peak in flight 8,8,8,8; gpipe, S=4, M=8, t_F=1, t_B=2, c=0: makespan 33, utilisation 0.727273, peak in flight 8,8,8,8
gpipe, S=4, M=8, t_F=1, t_B=2, c=1: makespan 39, utilisation 0.615385, peak in flight 8,8,8,8; gpipe, S=8, M=32, t_F=1, t_B=1, c=0: makespan 78, utilisation 0.820513, peak in flight 32,32,32,32,32,32,32,32
gpipe, S=8, M=32, t_F=1, t_B=2, c=0: makespan 117, utilisation 0.820513, peak in flight 32,32,32,32,32,32,32,32; gpipe, S=3, M=5, t_F=1, t_B=2, c=1: makespan 25, utilisation 0.600000, peak in flight 5,5,5
1f1b, S=4, M=8, t_F=1, t_B=1, c=0: makespan 22, utilisation 0.727273, peak in flight 4,3,2,1; 1f1b, S=4, M=8, t_F=1, t_B=2, c=0: makespan 33, utilisation 0.727273, peak in flight 4,3,2,1
1f1b, S=4, M=8, t_F=1, t_B=2, c=1: makespan 49, utilisation 0.489796, peak in flight 4,3,2,1; 1f1b, S=8, M=32, t_F=1, t_B=1, c=0: makespan 78, utilisation 0.820513, peak in flight 8,7,6,5,4,3,2,1
1f1b, S=8, M=32, t_F=1, t_B=2, c=1: makespan 185, utilisation 0.518919, peak in flight 8,7,6,5,4,3,2,1; 1f1b, S=3, M=5, t_F=1, t_B=1, c=0: makespan 14, utilisation 0.714286, peak in flight 3,2,1
1f1b, S=3, M=5, t_F=1, t_B=2, c=1: makespan 29, utilisation 0.517241, peak in flight 3,2,1; pb, S=4, M=8, t_F=1, t_B=2, c=0: makespan 33, utilisation 0.727273, peak in flight 7,5,3,1
pb, S=8, M=32, t_F=1, t_B=1, c=0: makespan 78, utilisation 0.820513, peak in flight 15,13,11,9,7,5,3,1; pb, S=8, M=32, t_F=1, t_B=2, c=0: makespan 117, utilisation 0.820513, peak in flight 15,13,11,9,7,5,3,1
pb, S=8, M=32, t_F=1, t_B=2, c=1: makespan 131, utilisation 0.732824, peak in flight 15,13,11,9,7,5,3,1; pb, S=3, M=5, t_F=1, t_B=1, c=0: makespan 14, utilisation 0.714286, peak in flight 5,3,1
)";
  const std::regex row(
      R"((gpipe|1f1b|pb), S=(\d+), M=(\d+), t_F=(\d+), t_B=(\d+), c=(\d+): makespan (\d+), utilisation ([0-9.]+), peak in flight ([0-9,]+))");
  int rows = 0;
  for (std::sregex_iterator at(table.begin(), table.end(), row), end; at != end; ++at, ++rows) {
    const auto& m = *at;
    CAPTURE(m[0].str());
    const auto schedule = program(m[1].str(), std::stoll(m[2]), std::stoll(m[3]));
    const auto found = simulate_schedule(schedule, std::stod(m[4]), std::stod(m[5]), std::stod(m[6]));
    CHECK(found.deadlock.empty());
    CHECK(found.makespan == std::stod(m[7]));
    CHECK_THAT(found.busy_share, WithinAbs(std::stod(m[8]), 5e-7));
    std::string peaks;
    for (const auto peak : found.peak_in_flight) peaks += (peaks.empty() ? "" : ",") + std::to_string(peak);
    CHECK(peaks == m[9].str());
    const auto again =
        simulate_schedule(read_program(csv_of(schedule), "p.csv"), std::stod(m[4]), std::stod(m[5]), std::stod(m[6]));
    CHECK(again.makespan == found.makespan);
  }
  CHECK(rows == 18);
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
  std::size_t rectangles = 0;
  for (std::size_t at = 0; (at = svg.find("<rect", at)) != std::string::npos; ++at) ++rectangles;
  CHECK(rectangles == 30);
  CHECK(svg.ends_with("</svg>\n"));
}

TEST_CASE("utilisation names its slot model", "[pipeline]") {
  const std::string table =
      R"(tick model, N=8, S=4: 14 ticks, utilisation 0.571428571; tick model, N=32, S=4: 38 ticks, utilisation 0.842105263
tick model, N=16, S=8: 30 ticks, utilisation 0.533333333; tick model, N=128, S=34: 194 ticks, utilisation 0.659793814
tick model, N=128, S=169: 464 ticks, utilisation 0.275862069; tick model, N=1, S=34: 67 ticks, utilisation 0.014925373
slot model, M=8, S=4: utilisation 0.727272727, bubble 0.272727273, ZB1P bubble 0.090909091; slot model, M=32, S=8: utilisation 0.820512821, bubble 0.179487179, ZB1P bubble 0.059829060
slot model, M=32, S=4: utilisation 0.914285714, bubble 0.085714286, ZB1P bubble 0.028571429; slot model, M=64, S=16: utilisation 0.810126582, bubble 0.189873418, ZB1P bubble 0.063291139
)";
  const std::regex tick(R"(tick model, N=(\d+), S=(\d+): (\d+) ticks, utilisation ([0-9.]+))");
  const std::regex slot(
      R"(slot model, M=(\d+), S=(\d+): utilisation ([0-9.]+), bubble ([0-9.]+), ZB1P bubble ([0-9.]+))");
  int rows = 0;
  for (std::sregex_iterator at(table.begin(), table.end(), tick), end; at != end; ++at, ++rows) {
    const auto found = utilisation("tick", std::stoll((*at)[1]), std::stoll((*at)[2]));
    CHECK(found.ticks == std::stoll((*at)[3]));
    CHECK_THAT(found.share, WithinAbs(std::stod((*at)[4]), 5e-10));
    CHECK_FALSE(found.bubble);
  }
  for (std::sregex_iterator at(table.begin(), table.end(), slot), end; at != end; ++at, ++rows) {
    const auto found = utilisation("slot", std::stoll((*at)[1]), std::stoll((*at)[2]));
    CHECK_THAT(found.share, WithinAbs(std::stod((*at)[3]), 5e-10));
    CHECK_THAT(found.bubble.value(), WithinAbs(std::stod((*at)[4]), 5e-10));
    CHECK_THAT(found.zb1p_bubble.value(), WithinAbs(std::stod((*at)[5]), 5e-10));
  }
  CHECK(rows == 10);
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
