#include "harness/watch/watch.hpp"

#include <cmath>

#include "harness/watch/history.hpp"
#include "harness/watch/watch_store.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::watch_tests {

using namespace retrial::harness;
using variance::DetectorEvidence;

namespace {

WatchedRuns runs_of(const std::string& name, std::vector<double> evidence, std::vector<double> control) {
  return {.workload = name,
          .metric = "time",
          .unit = "s",
          .values = {std::vector{1.0}, std::vector{1.0}},
          .evidence = std::move(evidence),
          .control = std::move(control)};
}

WatchedCommit commit_of(const std::string& name, std::vector<WatchedRuns> series) {
  WatchedCommit out{.commit = name, .series = std::move(series), .machine = {}};
  out.inputs = results::sha256(name);
  return out;
}

/// Signs of two blocks, worse with probability `p`.
std::vector<double> signs(variance::Stream& draws, double p) {
  std::vector<double> out;
  for (int block = 0; block < 2; ++block) out.push_back(variance::uniform(draws.next()) < p ? 1.0 : -1.0);
  return out;
}

/// Commits until the first alarm of three series, of which the first is worse with probability `p`; `longest` at most.
int commits_until_alarm(std::uint64_t history, double p, double control_p, int longest, bool& control) {
  variance::Stream draws(variance::derive(29, "watch"), history);
  std::optional<WatchState> state;
  for (int n = 1; n <= longest; ++n) {
    std::vector<WatchedRuns> series;
    for (const char* name : {"a", "b", "c"}) {
      auto evidence = signs(draws, *name == 'a' ? p : 0.5);
      series.push_back(runs_of(name, std::move(evidence), signs(draws, control_p)));
    }
    state = watched(state, {}, commit_of(std::to_string(n), std::move(series)));
    control = state->invalid;
    if (control || state->verdict() == "alarm") return n;
  }
  return longest;
}

}  // namespace

TEST_CASE("a watch of three series raises a false alarm in at most one of a thousand commits", "[watch]") {
  // Of 300 histories of identical commits the first alarms, the control's too, come after 1,000 commits on average or
  // more: both together have two such promises, so 500 is the limit of any of them.
  double judged = 0.0, any = 0.0;
  int alarms = 0;
  for (std::uint64_t history = 0; history < 300; ++history) {
    bool control = false;
    const int n = commits_until_alarm(history, 0.5, 0.5, 3000, control);
    any += n;
    alarms += n < 3000 && !control ? 1 : 0;
  }
  judged = alarms / any;        // alarms of the judged side in a commit
  CHECK(judged <= 1.0 / 1000);  // measured 0.0003: the bound of Ville holds with room
  CHECK(judged > 0.0);          // and there is something to measure
}

TEST_CASE("a benchmark that became slower is found in a few commits, and the others stay quiet", "[watch]") {
  double mean = 0.0;
  for (std::uint64_t history = 0; history < 100; ++history) {
    bool control = false;
    mean += commits_until_alarm(history, 0.95, 0.5, 3000, control) / 100.0;
    CHECK_FALSE(control);
  }
  CHECK(mean < 15.0);
  CHECK(mean >
        5.0);  // 2 blocks of e <= 1.8 each need more than log(3000) / log(3.24) = 6.8 commits from an empty state
}

TEST_CASE("a baseline that is worse than itself makes the watch invalid", "[watch]") {
  bool control = false;
  CHECK(commits_until_alarm(1, 0.95, 0.95, 3000, control) < 40);
  std::optional<WatchState> state;
  for (int n = 0; n < 10; ++n)
    state = watched(state, {}, commit_of(std::to_string(n), {runs_of("a", {0, 0}, {1, 1, 1})}));
  CHECK(state->invalid);
  CHECK(state->verdict() == "invalid");
  CHECK(state->exit() == 5);
}

TEST_CASE("each series and each direction has its share of the promise", "[watch]") {
  CHECK(alarm_level({.run_length = 1000}, 1) == 1000.0);
  CHECK(alarm_level({.run_length = 1000}, 4) == 4000.0);
  CHECK(alarm_level({.run_length = 500, .direction = WatchDirection::both}, 3) == 3000.0);
}

TEST_CASE("better values are found only where they are looked for", "[watch]") {
  const auto after = [](WatchDirection direction) {
    std::optional<WatchState> state;
    for (int n = 0; n < 12; ++n)
      state = watched(state, {.direction = direction}, commit_of(std::to_string(n), {runs_of("a", {-1, -1, -1}, {0})}));
    return *state;
  };
  CHECK(after(WatchDirection::worse).series[0].candidate.level < 1.0);
  bool found = false;
  std::optional<WatchState> state;
  for (int n = 0; n < 12 && !found; ++n) {
    state = watched(state, {.direction = WatchDirection::both},
                    commit_of(std::to_string(n), {runs_of("a", {-1, -1, -1}, {0})}));
    found = state->series[0].candidate.alarm == "better";
  }
  CHECK(found);
  CHECK(state->series[0].candidate.better.values.empty());  // after an alarm the state is empty
}

TEST_CASE("bounded costs are watched in either direction", "[watch]") {
  const FrozenReference half{.mean = 0.25, .sd = 0.1, .runs = 200};
  auto runs = runs_of("a", {0.0}, {0.25});
  runs.reference = half;
  const WatchSettings settings{.evidence = DetectorEvidence::bounded, .direction = WatchDirection::both};
  const auto state = watched(std::nullopt, settings, commit_of("x", {runs}));
  // lambda (x' - m') with x' = 1, m' = 3/4 and lambda = 1/3, 2/3, 1: the mean of 1 + lambda / 4.
  CHECK_THAT(state.series[0].candidate.level, WithinAbs(1.0 + (1.0 / 3 + 2.0 / 3 + 1.0) / 3 / 4, 1e-12));
  CHECK_THAT(state.series[0].control.level, WithinAbs(1.0, 1e-12));
}

TEST_CASE("a benchmark that vanished does not pass, and the nearest name is offered", "[watch]") {
  const auto state = watched(std::nullopt, {}, commit_of("1", {runs_of("sort", {0}, {0}), runs_of("sum", {0}, {0})}));
  const auto next = commit_of("2", {runs_of("sortt", {0}, {0}), runs_of("sum", {0}, {0})});
  try {
    (void)watched(state, {}, next);
    FAIL("a removed benchmark passed");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::incomparable);
    CHECK(error.text.problem.find("is it sortt time?") != std::string::npos);
  }
}

TEST_CASE("a frozen reference belongs to its machine and its runs", "[watch]") {
  const WatchSettings settings{.evidence = DetectorEvidence::normal_known};
  auto runs = runs_of("a", {0}, {0});
  runs.reference = FrozenReference{.mean = 1, .sd = 1, .runs = 200};
  auto first = commit_of("1", {runs});
  first.machine = {{"host_name", "here"}};
  const auto state = watched(std::nullopt, settings, first);
  auto elsewhere = first;
  elsewhere.machine = {{"host_name", "there"}};
  CHECK_THROWS_AS(watched(state, settings, elsewhere), Error);
  CHECK_NOTHROW(watched(state, {}, elsewhere));  // side by side, the machine may change between commits
  auto other = first;
  other.series[0].reference->mean = 2;
  CHECK_THROWS_AS(watched(state, settings, other), Error);
  CHECK_NOTHROW(watched(state, settings, first));
}

TEST_CASE("a state reads back from its document bit for bit", "[watch]") {
  auto runs = runs_of("a|b\n", {1, -1, 1}, {0, 1, 0});
  runs.reference = FrozenReference{.mean = 0.1, .sd = 1e-300, .runs = 200};
  const WatchSettings settings{.run_length = 123.456, .direction = WatchDirection::both};
  WatchState state = watched(std::nullopt, settings, commit_of("x", {runs}));
  state.number = 3;
  state.previous = results::sha256("before");
  state.machine = {{"host_name", "here"}};
  CHECK(state_of(document_of(state), "here") == state);
  Json broken = document_of(state);
  broken["metrics"][0]["median"][0] = "zz";
  CHECK_THROWS_AS(state_of(broken, "here"), Error);
  broken = document_of(state);
  broken["detector"]["kind"] = "pairs";
  CHECK_THROWS_AS(state_of(broken, "here"), Error);
}

TEST_CASE("the history shows 31 values, names its steps and keeps every commit in its document", "[watch]") {
  ScoreTable table{.name = "h.csv", .rows = {}};
  for (int i = 0; i < 40; ++i)
    table.rows.push_back({.variant = table.called("c" + std::to_string(i)),
                          .task = table.called("sort"),
                          .metric = table.called("time"),
                          .score = i < 35 ? 100.0 + i % 3 * 0.1 : 110.0 + i % 3 * 0.1});
  table.metrics["time"] = {variance::Direction::lower, "s"};
  const CommitHistory history = history_of(table, {}, std::nullopt);
  REQUIRE(history.series.size() == 1);
  const CommitSeries& one = history.series.front();
  CHECK(one.points.size() == 40);
  CHECK(one.first_shown() == 9);
  CHECK(history.standing_out() == 1);
  CHECK(one.points[35].stands_out);
  CHECK(one.points[35].change_point);
  CHECK_FALSE(one.points[9].change.has_value());  // the step to it is not shown
  CHECK_THROWS_AS(history_of(table, {.metrics = {"tiem"}}, std::nullopt), Error);
}

}  // namespace retrial::tests::watch_tests
