// How common recipes behave on identical variants or a known target: rates of an independent simulation with 1,000
// resamples (the specification of these statistics), given to .01 unless a line says otherwise; three standard errors
// of our own simulations come on top. All under fixed seeds.
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "variance/bootstrap/aggregate.hpp"
#include "variance/bootstrap/bootstrap.hpp"
#include "variance/history/changepoint.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::recipes_tests {

using namespace retrial::variance;
using Values = std::vector<double>;

namespace {

auto near_rate(double rate, int simulations, double given_to = .01) {
  return WithinAbs(rate, given_to + 3 * std::sqrt(rate * (1 - rate) / simulations));
}

Values normals(std::string_view name, std::uint64_t index, std::size_t n) {
  Stream draws(derive(42, name), index);
  Values values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(normal(draws.next()));
  return values;
}

double mean_coverage(std::size_t n, int simulations) {
  int covered = 0;
  for (int s = 0; s < simulations; ++s) {
    const auto interval =
        bootstrap_mean(normals("coverage", static_cast<std::uint64_t>(s), n),
                       {.resamples = 1000, .key = derive(derive(1, n), static_cast<std::uint64_t>(s))});
    covered += *interval.low <= 0.0 && *interval.high >= 0.0 ? 1 : 0;
  }
  return covered / double(simulations);
}

/// Runs of task m score m / M plus a skewed noise of standard deviation .1.
double iqm_coverage(std::size_t tasks, std::size_t runs, double target, int simulations) {
  const double spread = std::sqrt((std::exp(1.0) - 1) * std::exp(1.0));
  int covered = 0;
  for (int s = 0; s < simulations; ++s) {
    Stream draws(derive(derive(43, "aggregate"), tasks * 100 + runs), static_cast<std::uint64_t>(s));
    TaskScores scores;
    for (std::size_t m = 1; m <= tasks; ++m) {
      scores.tasks.emplace_back();
      for (std::size_t i = 0; i < runs; ++i)
        scores.tasks.back().push_back(double(m) / double(tasks) +
                                      .1 * (std::exp(normal(draws.next())) - std::exp(.5)) / spread);
    }
    const auto interval =
        aggregate_interval(scores, Aggregate::iqm,
                           {.resamples = 1000, .key = derive(2, static_cast<std::uint64_t>(s)), .enumerate_to = 1});
    covered += *interval.low <= target && *interval.high >= target ? 1 : 0;
  }
  return covered / double(simulations);
}

/// Share of series of pure noise in which the windowed recipe points at something.
double shown(std::size_t points, double p, int simulations) {
  int found = 0;
  for (int s = 0; s < simulations; ++s)
    found += windowed_changes(normals("noise", static_cast<std::uint64_t>(s), points), compatible_window(50, p)).empty()
                 ? 0
                 : 1;
  return found / double(simulations);
}

}  // namespace

TEST_CASE("a percentile interval of the mean of few normal scores covers too little") {
  constexpr int simulations = 2000;
  const std::vector<std::pair<std::size_t, double>> known{{3, .751},  {5, .837},  {10, .902},
                                                          {20, .927}, {29, .934}, {50, .939}};
  for (const auto& [n, coverage] : known) {
    CAPTURE(n);
    CHECK_THAT(mean_coverage(n, simulations), near_rate(coverage, simulations));
  }
}

TEST_CASE("a stratified interval of the interquartile mean of few runs covers too little") {
  constexpr int simulations = 1000;
  const std::vector<std::pair<std::size_t, double>> one{{3, .754}, {5, .896}, {10, .930}, {20, .944}};
  for (const auto& [runs, coverage] : one) {
    CAPTURE(runs);
    CHECK_THAT(iqm_coverage(1, runs, .97334, simulations), near_rate(coverage, simulations));
  }
  const std::vector<std::pair<std::size_t, double>> five{{3, .782}, {5, .868}, {10, .901}, {20, .921}};
  for (const auto& [runs, coverage] : five) {
    CAPTURE(runs);
    CHECK_THAT(iqm_coverage(5, runs, .59464, simulations), near_rate(coverage, simulations));
  }
}

TEST_CASE("the windowed change-point recipe points at something in pure noise") {
  const std::vector<double> levels{.001, .01, .05};
  const std::vector<double> fifty{.024, .28, .48}, hundred{.064, .49, .69}, four_hundred{.23, .91, .99};
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(levels[i]);
    CHECK_THAT(shown(50, levels[i], 1000), near_rate(fifty[i], 1000, .02));
    CHECK_THAT(shown(100, levels[i], 500), near_rate(hundred[i], 500, .02));
    CHECK_THAT(shown(400, levels[i], 300), near_rate(four_hundred[i], 300, .02));
  }
}

TEST_CASE("run again with every commit it alarms in most histories of 300") {
  constexpr int simulations = 200;
  int alarmed = 0;
  for (int s = 0; s < simulations; ++s) {
    const Values history = normals("commits", static_cast<std::uint64_t>(s), 300);
    bool any = false;
    for (std::size_t n = 2; n <= history.size() && !any; ++n)
      any = !windowed_changes(std::span(history).first(n), compatible_window(50, .001)).empty();
    alarmed += any ? 1 : 0;
  }
  CHECK_THAT(alarmed / double(simulations), near_rate(.63, simulations, .03));
}

}  // namespace retrial::tests::recipes_tests
