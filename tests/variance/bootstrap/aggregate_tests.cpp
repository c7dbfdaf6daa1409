#include "variance/bootstrap/aggregate.hpp"
#include "variance/bootstrap/aggregate_acceleration.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::aggregate_tests {

// Values of rliable's own tests (Apache-2.0) or by hand.

using namespace retrial::variance;

namespace {

const TaskScores x{{{1, 2, 1, 2}, {2, 2, 1, 1}}}, y{{{1, 2, 3}, {1, 2, 3}}};

TaskScores pooled(std::vector<double> scores) {
  return {{std::move(scores)}};
}

TaskScores drawn(std::uint64_t key, std::size_t tasks, std::size_t runs, double shift) {
  TaskScores scores;
  Stream stream(key);
  for (std::size_t m = 0; m < tasks; ++m) {
    scores.tasks.emplace_back();
    for (std::size_t i = 0; i < runs; ++i)
      scores.tasks.back().push_back(normal(stream.next()) * .1 + static_cast<double>(m) + shift);
  }
  return scores;
}

void check_close(const Estimate& drawn_one, const Estimate& exact, double tolerance) {
  CHECK_THAT(*drawn_one.low, WithinAbs(*exact.low, tolerance));
  CHECK_THAT(*drawn_one.high, WithinAbs(*exact.high, tolerance));
  CHECK(drawn_one.point == exact.point);
}

}  // namespace

TEST_CASE("aggregates of small matrices") {
  CHECK_THAT(probability_of_improvement(x, y), WithinAbs(1.0 / 3, 1e-15));
  CHECK(probability_of_improvement(x, x) == .5);
  std::vector<double> eighty(80);
  std::iota(eighty.begin(), eighty.end(), 0.0);
  CHECK(iqm(pooled(eighty)).value == 39.5);
  CHECK_FALSE(iqm(pooled(eighty)).small_sample);
  CHECK(iqm(pooled({5, 1, 9})).value == 5.0);
  CHECK(iqm(pooled({5, 1, 9})).small_sample);
  CHECK_THAT(optimality_gap(pooled({.2, .5, 1.3, .9})), WithinAbs(.35, 1e-15));
  const TaskScores ragged{{{1, 3}, {4}, {10, 12, 14}}};  // task means 2, 4, 12
  CHECK(task_mean(ragged) == 6.0);
  CHECK(task_median(ragged) == 4.0);
}

TEST_CASE("a performance profile is strict, and its area is the mean") {
  const auto scores = pooled({.25, .5, .5, 1.0});
  CHECK(performance_profile(scores, .5) == .25);
  CHECK(performance_profile(scores, .4999) == .75);
  double area = 0.0;
  for (int i = 0; i < 1000; ++i) area += performance_profile(scores, (i + .5) / 1000) / 1000;
  CHECK_THAT(area, WithinAbs(.5625, 1e-3));
}

TEST_CASE("the exact stratified bootstrap of an interquartile mean") {
  // By full enumeration in another program: 27 * 27 resamples, 17 distinct values.
  const TaskScores scores{{{.2, .5, .9}, {.1, .4, .4}}};
  const auto exact = aggregate_interval(scores, Aggregate::iqm, {});
  CHECK_THAT(exact.point, WithinAbs(.375, 1e-15));
  CHECK_THAT(*exact.low, WithinAbs(.225, 1e-12));
  CHECK_THAT(*exact.high, WithinAbs(.65, 1e-12));
  CHECK(exact.method == "exact stratified bootstrap");
}

TEST_CASE("drawn intervals agree with the exact ones for every aggregate") {
  const auto a = drawn(1, 3, 4, .05), b = drawn(2, 3, 4, 0);
  const AggregateOptions exact{.gamma = 2.0, .enumerate_to = 100'000'000};
  const AggregateOptions many{.gamma = 2.0, .resamples = 40'000, .key = 3, .enumerate_to = 0};
  for (const auto& row : all_aggregates()) {
    CAPTURE(row.name);
    check_close(aggregate_interval(a, row.aggregate, many), aggregate_interval(a, row.aggregate, exact), .004);
  }
  AggregateOptions paired_exact = exact, paired_many = many;
  paired_exact.paired = paired_many.paired = true;
  check_close(aggregate_difference(a, b, Aggregate::mean, paired_many),
              aggregate_difference(a, b, Aggregate::mean, paired_exact), .004);
  check_close(improvement_interval(a, b, many), improvement_interval(a, b, exact), .03);
  check_close(improvement_interval(a, b, paired_many), improvement_interval(a, b, paired_exact), .03);
}

TEST_CASE("the difference of independent variants is exact while its resamples can be counted") {
  const auto a = drawn(1, 2, 3, .05), b = drawn(2, 2, 3, 0);
  const auto exact = aggregate_difference(a, b, Aggregate::mean, {});
  CHECK(exact.method == "exact stratified bootstrap");
  check_close(aggregate_difference(a, b, Aggregate::mean, {.resamples = 40'000, .key = 3, .enumerate_to = 0}), exact,
              .006);
}

TEST_CASE("pairing narrows the interval of a difference when runs share their seeds") {
  TaskScores a = drawn(1, 4, 12, 0), b = a;
  for (auto& task : b.tasks)
    for (double& score : task) score -= .01;
  AggregateOptions options{.resamples = 2'000, .key = 5};
  const auto apart = aggregate_difference(a, b, Aggregate::iqm, options);
  options.paired = true;
  const auto together = aggregate_difference(a, b, Aggregate::iqm, options);
  CHECK(*together.high - *together.low < 1e-9);  // every pair differs by .01
  CHECK(*apart.high - *apart.low > .02);
}

TEST_CASE("one key repeats, another differs, and the order of runs changes no bit") {
  const auto a = drawn(1, 5, 10, 0);
  TaskScores shuffled = a;
  for (auto& task : shuffled.tasks) std::rotate(task.begin(), task.begin() + 4, task.end());
  const AggregateOptions options{.resamples = 2'000, .key = 5};
  const auto first = aggregate_interval(a, Aggregate::iqm, options);
  CHECK(*first.low == *aggregate_interval(a, Aggregate::iqm, options).low);
  CHECK(*first.low == *aggregate_interval(shuffled, Aggregate::iqm, options).low);
  CHECK(*first.high == *aggregate_interval(shuffled, Aggregate::iqm, options).high);
  CHECK(*first.low != *aggregate_interval(a, Aggregate::iqm, {.resamples = 2'000, .key = 6}).low);
  CHECK(refused_field([&] { (void)aggregate_interval(a, Aggregate::iqm, {}); }) == "seed");
}

TEST_CASE("drawing tasks as well widens the interval of a mean over unlike tasks") {
  const auto a = drawn(1, 8, 10, 0);
  const auto runs = aggregate_interval(a, Aggregate::mean, {.resamples = 2'000, .key = 5});
  const auto tasks = aggregate_interval(a, Aggregate::mean, {.resamples = 2'000, .key = 5, .resample_tasks = true});
  CHECK(*tasks.high - *tasks.low > 5 * (*runs.high - *runs.low));
}

TEST_CASE("a profile's intervals hold its points") {
  const auto a = drawn(1, 3, 6, 0);
  const auto taus = default_taus(a);
  CHECK(taus.size() == 101);
  const auto profile = profile_intervals(a, taus, {.resamples = 1'000, .key = 2});
  REQUIRE(profile.size() == 101);
  for (std::size_t t = 0; t < taus.size(); ++t) {
    CHECK(*profile[t].low <= profile[t].point + 1e-12);
    CHECK(*profile[t].high >= profile[t].point - 1e-12);
    if (t > 0) CHECK(profile[t].point <= profile[t - 1].point);
  }
  CHECK(profile.back().point == 0.0);
  // One draw serves all thresholds, also of different passes: a block of its own gives the same interval.
  const auto one = profile_intervals(a, std::span(taus).subspan(40, 1), {.resamples = 1'000, .key = 2});
  CHECK(*one[0].low == *profile[40].low);
}

TEST_CASE("scores of tasks that cannot be aggregated are refused by place") {
  CHECK(refused_field([] { (void)task_mean({}); }) == "tasks");
  CHECK(refused_field([] { (void)task_mean({{{1}, {}}}); }) == "tasks[1]");
  CHECK(refused_field([] { (void)iqm({{{1, std::nan("")}}}); }) == "tasks[0][1]");
  CHECK(refused_field([] { (void)probability_of_improvement({{{1}}}, {{{1}, {2}}}); }) == "tasks");
  AggregateOptions paired{.key = 1, .paired = true};
  CHECK(refused_field([&] { (void)aggregate_difference(x, y, Aggregate::mean, paired); }) == "tasks[0]");
}

TEST_CASE("leaving out a run gives the aggregate of the other runs") {
  const TaskScores a{{{1, 2, 2, 5}, {0.5, 2, 9}, {4, 4, 4, 1, 7}}}, b{{{2, 2, 3}, {1, 9}, {4, 0, 6, 6}}};
  const auto without = [](TaskScores scores, std::size_t m, std::size_t i) {
    scores.tasks[m].erase(scores.tasks[m].begin() + static_cast<std::ptrdiff_t>(i));
    return scores;
  };
  for (const auto& row : all_aggregates()) {
    const auto left = left_out_aggregates(a, row.aggregate, 3.0);
    for (std::size_t m = 0; m < 3; ++m)
      for (std::size_t i = 0; i < a.tasks[m].size(); ++i)
        CHECK_THAT(left[m][i], WithinAbs(aggregate(without(a, m, i), row.aggregate, 3.0), 1e-12));
  }
  const auto left = left_out_improvements(a, b, false);
  for (std::size_t m = 0; m < 3; ++m) {
    for (std::size_t i = 0; i < a.tasks[m].size(); ++i)
      CHECK_THAT(left[m][i], WithinAbs(probability_of_improvement(without(a, m, i), b), 1e-12));
    for (std::size_t j = 0; j < b.tasks[m].size(); ++j)
      CHECK_THAT(left[3 + m][j], WithinAbs(probability_of_improvement(a, without(b, m, j)), 1e-12));
  }
  const TaskScores c{{{2, 2, 3, 5}, {1, 9, 2}, {4, 0, 6, 6, 7}}};
  const auto pairs = left_out_improvements(a, c, true);
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t i = 0; i < a.tasks[m].size(); ++i)
      CHECK_THAT(pairs[m][i], WithinAbs(probability_of_improvement(without(a, m, i), without(c, m, i)), 1e-12));
}

TEST_CASE("of one task the methods are those of the bootstrap of a mean") {
  const std::vector<double> values{0.5, 1, 1.25, 2, 2.5, 3, 4.5, 9};  // ascending: the draws are the same
  for (const auto method : {BootstrapMethod::percentile, BootstrapMethod::basic, BootstrapMethod::bca}) {
    const AggregateOptions options{.resamples = 2'000, .key = 7, .method = method, .enumerate_to = 0};
    const auto found = aggregate_interval({{values}}, Aggregate::mean, options);
    const auto expected = bootstrap_mean(values, {.resamples = 2'000, .key = 7, .method = method});
    CHECK(found.low == expected.low);
    CHECK(found.high == expected.high);
  }
}

TEST_CASE("drawn BCa intervals settle on the exact ones") {
  const TaskScores a{{{1, 2, 4, 9}, {3, 3.5, 8}}}, b{{{0, 2, 3, 3.25}, {1, 2, 6}}};
  for (const auto method : {BootstrapMethod::basic, BootstrapMethod::bca}) {
    AggregateOptions options{.resamples = 200'000, .key = 7, .method = method};
    const auto exact = aggregate_difference(a, b, Aggregate::mean, options);
    CHECK_THAT(exact.method, has_text("exact stratified"));
    options.enumerate_to = 0;
    const auto drawn = aggregate_difference(a, b, Aggregate::mean, options);
    CHECK_THAT(*drawn.low, WithinAbs(*exact.low, 0.05));
    CHECK_THAT(*drawn.high, WithinAbs(*exact.high, 0.05));
  }
  const AggregateOptions both{.key = 7, .method = BootstrapMethod::bca, .resample_tasks = true};
  CHECK(refused_field([&] { (void)aggregate_interval(a, Aggregate::mean, both); }) == "method");
}

}  // namespace retrial::tests::aggregate_tests
