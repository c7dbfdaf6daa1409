#include "variance/many/aggregate_verdict.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::aggregate_verdict_tests {

using namespace retrial::variance;

namespace {

TaskScores tasks(std::vector<std::vector<double>> scores) {
  return {std::move(scores)};
}

const AggregateOptions keyed{.resamples = 2'000, .key = 9};

}  // namespace

TEST_CASE("three runs of one task cannot show a difference, however large") {
  // C(6, 3) = 20 labellings: the smallest p is 1/20, and 1/40 is asked. The interval excludes 0 all the same.
  const auto found = judge_aggregates(tasks({{11, 12, 13}}), tasks({{1, 2, 3}}), Aggregate::mean, keyed);
  CHECK(*found.difference.low > 0.0);
  CHECK(found.exact);
  CHECK_THAT(found.p_better, WithinAbs(1.0 / 20, 1e-15));
  CHECK(found.p_worse == 1.0);
  CHECK(found.status == Status::inconclusive);
}

TEST_CASE("relabellings by hand: two tasks of two runs, every aggregate") {
  // C(4, 2)^2 = 36 labellings; the observed one is the only one that puts every high score on one side.
  const auto high = tasks({{3, 4}, {13, 14}}), low = tasks({{1, 2}, {11, 12}});
  for (const TaskStatistic which :
       {TaskStatistic(Aggregate::mean), TaskStatistic(Aggregate::median), TaskStatistic()}) {
    const auto found = judge_aggregates(high, low, which, keyed);
    CHECK_THAT(found.p_better, WithinAbs(1.0 / 36, 1e-15));
    CHECK_THAT(judge_aggregates(low, high, which, keyed).p_worse, WithinAbs(1.0 / 36, 1e-15));
  }
  // The middle half of 3 4 13 14 is 4 and 13, mean 8.5; of 1 2 11 12 it is 6.5.
  CHECK_THAT(judge_aggregates(high, low, Aggregate::iqm, keyed).difference.point, WithinAbs(2.0, 1e-12));
  // A gap is a shortfall from 20: the candidate's is the smaller.
  AggregateOptions target = keyed;
  target.gamma = 20.0;
  CHECK_THAT(judge_aggregates(high, low, Aggregate::optimality_gap, target).p_better, WithinAbs(1.0 / 36, 1e-15));
}

TEST_CASE("pairs change sides together, and so do tasks if tasks are resampled") {
  const auto high = tasks({{2, 3, 5}, {12, 13, 15}}), low = tasks({{1, 2, 3}, {11, 12, 13}});
  AggregateOptions paired = keyed;
  paired.paired = true;
  CHECK_THAT(judge_aggregates(high, low, Aggregate::mean, paired).p_better, WithinAbs(1.0 / 64, 1e-15));  // 2^-6
  AggregateOptions of_tasks = keyed;
  of_tasks.resample_tasks = true;
  CHECK_THAT(judge_aggregates(high, low, Aggregate::mean, of_tasks).p_better, WithinAbs(1.0 / 4, 1e-15));  // 2^-2
}

TEST_CASE("drawn relabellings do not depend on the order of runs") {
  TaskScores a, b;
  Stream stream(8);
  for (int m = 0; m < 4; ++m) {
    a.tasks.emplace_back(), b.tasks.emplace_back();
    for (int i = 0; i < 5; ++i)
      a.tasks.back().push_back(normal(stream.next())), b.tasks.back().push_back(normal(stream.next()));
  }
  TaskScores turned_a = a, turned_b = b;
  for (auto* side : {&turned_a, &turned_b})
    for (auto& task : side->tasks) std::reverse(task.begin(), task.end());
  for (const bool paired : {false, true}) {
    AggregateOptions options = keyed;
    options.paired = paired;
    const auto one = judge_aggregates(a, b, Aggregate::iqm, options);
    CHECK_FALSE(one.exact);
    CHECK(judge_aggregates(turned_a, turned_b, Aggregate::iqm, options).p_better == one.p_better);
  }
}

TEST_CASE("enough runs far apart are BETTER and WORSE, close ones EQUIVALENT within a margin") {
  TaskScores a, b;
  Stream stream(4);
  for (int m = 0; m < 3; ++m) {
    a.tasks.emplace_back(), b.tasks.emplace_back();
    for (int i = 0; i < 8; ++i) {
      a.tasks.back().push_back(m + normal(stream.next()));
      b.tasks.back().push_back(m + normal(stream.next()));
    }
  }
  TaskScores ahead = a;
  for (auto& task : ahead.tasks)
    for (double& score : task) score += 3.0;
  for (const Aggregate which : {Aggregate::mean, Aggregate::median, Aggregate::iqm}) {
    CHECK(judge_aggregates(ahead, b, which, keyed).status == Status::better);
    CHECK(judge_aggregates(b, ahead, which, keyed).status == Status::worse);
    CHECK(judge_aggregates(a, b, which, keyed, 3.0).status == Status::equivalent);
    CHECK(judge_aggregates(a, b, which, keyed, 0.01).status == Status::inconclusive);
  }
  CHECK(refused_field([&] {
          (void)judge_aggregates(a, b, Aggregate::mean, {.resamples = 2'000, .key = std::nullopt});
        }) == "seed");
}

}  // namespace retrial::tests::aggregate_verdict_tests
