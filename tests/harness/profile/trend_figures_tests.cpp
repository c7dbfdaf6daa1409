// Figures of profiles whose shares are written by hand.
#include "harness/profile/trend_figures.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::trend_figures_tests {

using namespace retrial::harness;
using profiler::Category;

namespace {

/// Two pairs of 1 s, of which the simulator has this share; learning has a fifth, and the rest is inference.
ProfiledVariant profiled(const std::string& name, std::uint64_t simulator_percent, std::uint64_t transitions) {
  profiler::RunProfile run{.region_ns = 1'000'000'000, .transitions = transitions, .iterations = 1};
  const auto add = [&](const char* operation, Category layer, std::uint64_t percent) {
    run.table[{.operations = {operation}, .categories = profiler::bit_of(layer)}] = 10'000'000 * percent;
  };
  add("simulation", Category::simulator, simulator_percent);
  add("backprop", Category::app, 20);
  add("inference", Category::app, 80 - simulator_percent);
  return {.name = name, .costs = {}, .off = {run, run}, .full = {run, run}, .changed = {}, .validation = {}};
}

Values keys(std::int64_t sim_cost, std::int64_t steps, double lr = .1) {
  return {{"sim_cost", sim_cost}, {"steps", steps}, {"lr", lr}, {"env", std::string("hill")}};
}

}  // namespace

TEST_CASE("the share that moves most is drawn against the key that variants differ in alone") {
  const std::vector<ProfiledVariant> variants{profiled("fast", 1, 10),   profiled("slow", 60, 10),
                                              profiled("other", 30, 10), profiled("middle", 20, 10),
                                              profiled("again", 40, 10), profiled("third", 45, 10)};
  // "other" and its two followers have another number of steps; only two of them differ in sim_cost alone.
  const auto figure =
      swept_figure(variants, {keys(0, 5), keys(100'000, 5), keys(0, 9), keys(1000, 5), keys(1000, 9), keys(0, 9, .2)});
  REQUIRE(figure.has_value());
  CHECK(figure->title == "Share of inference against sim_cost");  // 79, 60 and 20 %; the simulator moves as far
  REQUIRE(figure->plot.series.size() == 1);
  CHECK(figure->plot.series.front().label == "fast");
  const auto& points = figure->plot.series.front().points;
  REQUIRE(points.size() == 3);
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(points[i].x == static_cast<double>(i + 1));
    CHECK_THAT(points[i].y, WithinRel(std::vector<double>{79, 60, 20}[i], 1e-12));
  }
  CHECK(figure->plot.x.tics[1].label == "1000");
  CHECK(figure->data.rows.size() == 3);
}

TEST_CASE("no key is swept by two values, by words, or where another key changes with it") {
  const std::vector<ProfiledVariant> variants{profiled("a", 1, 1), profiled("b", 2, 1), profiled("c", 3, 1)};
  CHECK_FALSE(swept_figure(variants, {keys(0, 5), keys(0, 5), keys(9, 5)}).has_value());
  CHECK_FALSE(swept_figure(variants, {keys(0, 5), keys(1, 6), keys(2, 7)}).has_value());
  auto word = keys(0, 5);
  word["env"] = std::string("valley");
  CHECK_FALSE(swept_figure(variants, {keys(0, 5), word, keys(9, 5)}).has_value());
  CHECK_FALSE(swept_figure({}, {}).has_value());
}

TEST_CASE("every variant is drawn with its changes of layer and its time with nothing recorded") {
  const auto figure = transitions_figure({profiled("few", 1, 2000), profiled("many", 1, 50'000)});
  REQUIRE(figure.plot.series.front().points.size() == 2);
  CHECK(figure.plot.series.front().points.back().x == 50);
  CHECK(figure.plot.series.front().points.back().y == 1);
  CHECK(figure.data.rows.back().front() == "many");
}

}  // namespace retrial::tests::trend_figures_tests
