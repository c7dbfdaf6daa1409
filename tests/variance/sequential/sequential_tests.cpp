#include "variance/sequential/sequential.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "variance/sequential/anytime.hpp"

namespace retrial::tests::sequential_sequential_tests {

using namespace retrial::variance;
using Values = std::vector<double>;

namespace {
SequentialSettings settings_of(const SequentialRule& rule, std::optional<std::int64_t> horizon = {}) {
  SequentialSettings settings;
  settings.horizon = rule.open ? horizon : horizon.value_or(42);
  if (rule.data == SequentialData::bounded) {
    settings.low = -1.0;
    settings.high = 1.0;
  }
  return settings;
}

/// In (-1, 1), symmetric about `shift`.
Values series(std::uint64_t index, std::size_t n, double shift) {
  Stream draws(derive(42, "sequential"), index);
  Values values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(shift + .8 * (uniform(draws.next()) - .5));
  return values;
}

bool same(const SequentialStep& a, const SequentialStep& b) {
  return a.pairs == b.pairs && a.wins == b.wins && a.ties == b.ties && a.state == b.state && a.status == b.status &&
         a.log_e == b.log_e && a.log_e_against == b.log_e_against && a.statistic == b.statistic &&
         a.boundary == b.boundary && a.interval.low == b.interval.low && a.interval.high == b.interval.high;
}
}  // namespace

TEST_CASE("every sequential rule says after a pair what it would say if no more had come") {
  for (const auto& rule : all_sequential_rules()) {
    CAPTURE(rule.name);
    const auto settings = settings_of(rule);
    const Values values = series(1, 42, .03);
    if (rule.open && rule.data == SequentialData::wins) CHECK(watch(rule.name, {}, settings).empty());
    const auto all = watch(rule.name, values, settings);
    REQUIRE_FALSE(all.empty());
    for (const std::size_t n : {std::size_t{1}, all.size() / 2, all.size()}) {
      const auto some = watch(rule.name, std::span(values).first(n), settings);
      REQUIRE(some.size() == n);
      for (std::size_t i = 0; i < n; ++i) CHECK(same(some[i], all[i]));
    }
  }
}

TEST_CASE("a sequential rule that leaves out its intervals decides the same") {
  for (const auto& rule : all_sequential_rules()) {
    CAPTURE(rule.name);
    auto settings = settings_of(rule);
    const auto full = watch(rule.name, series(3, 42, .12), settings);
    settings.intervals = false;
    const auto brief = watch(rule.name, series(3, 42, .12), settings);
    REQUIRE(full.size() == brief.size());
    for (std::size_t i = 0; i < full.size(); ++i) {
      CHECK(full[i].state == brief[i].state);
      CHECK(full[i].status == brief[i].status);
      CHECK(full[i].log_e == brief[i].log_e);
    }
  }
}

TEST_CASE("every sequential rule stops for a clear winner, and against a clear loser") {
  for (const auto& rule : all_sequential_rules()) {
    CAPTURE(rule.name);
    const auto won = watch(rule.name, series(2, 42, .5), settings_of(rule));
    CHECK(won.back().state == SequentialState::decided_for);
    CHECK(won.back().status == Status::better);
    CHECK(won.size() <= (rule.name == "bernstein" ? 42U : 27U));
    const auto lost = watch(rule.name, series(2, 42, -.5), settings_of(rule));
    CHECK(lost.back().state == SequentialState::decided_against);
    for (std::size_t i = 0; i + 1 < won.size(); ++i) CHECK(won[i].state == SequentialState::go_on);
  }
}

TEST_CASE("no sequential rule says BETTER of equal variants more often than alpha, whenever it stops") {
  // Four standard errors above .05.
  for (const auto& rule : all_sequential_rules()) {
    CAPTURE(rule.name);
    const bool slow = rule.data == SequentialData::bounded || !rule.exact;  // milliseconds a series for boundaries
    const int series_count = slow ? 50 : 300;
    int better = 0;
    for (int i = 0; i < series_count; ++i) {
      const auto steps = watch(rule.name, series(static_cast<std::uint64_t>(i), 42, 0), settings_of(rule, 42));
      better += steps.back().status == Status::better ? 1 : 0;
    }
    CHECK(better <= .05 * series_count + 4 * std::sqrt(.0475 * series_count));
  }
}

TEST_CASE("an interval that excludes no difference and a decision are one") {
  const auto steps = watch("t_anytime", series(2, 42, .2));
  for (const auto& step : steps) {
    const bool excluded = step.interval.low && *step.interval.low > 0.0;
    CHECK(excluded == (step.state == SequentialState::decided_for));
  }
  CHECK_THAT(*steps.back().log_e, WithinAbs(std::log(20.0), 3.0));
  const auto bets = watch("betting", series(2, 42, .2), {.low = -1.0, .high = 1.0});
  CHECK(*bets.back().interval.low > 0.0);
  CHECK(*bets[bets.size() - 2].interval.low <= 0.0);
}

TEST_CASE("seven straight wins are the earliest BETTER, three straight losses the earliest NOT MEANINGFUL") {
  CHECK(watch("dual_e", Values(50, 1.0)).size() == 7);
  CHECK(watch("mixture_e", Values(50, 1.0)).size() == 7);
  const auto lost = watch("dual_e", Values(50, -1.0));
  CHECK(lost.size() == 3);
  CHECK(lost.back().status == Status::not_meaningful);
  CHECK(watch("mixture_e", Values(50, -1.0)).back().status == Status::worse);
  CHECK(watch("curtailed", Values(50, 1.0)).size() == 27);  // 27 of 42, the exact fixed design
  // No spread: the t has a finite e-value of (1 + n)^((n - 1) / 2), 36 after five; their signs one of the mean over
  // effects e of (2 / (1 + exp(-2 e)))^n, 12.6 after six and 23.1 after seven.
  CHECK(watch("t_anytime", Values(50, .25)).size() == 7);
  CHECK(watch("t_anytime", Values(50, .25)).back().note == "degenerate");
  CHECK(watch("t_anytime", Values{.25, .3, .2}).back().note.empty());
}

TEST_CASE("the evidence of signs has mean 1 over all signs of any sizes") {
  for (const Values& sizes : {Values{1, 1, 1, 1, 1, 1, 1, 1}, Values{3, .1, 7, 2, 2, 1e-3, 40, .5}, Values{1, 0, 2}}) {
    double sum = 0.0;
    const auto all = std::size_t{1} << sizes.size();
    for (std::size_t signs = 0; signs < all; ++signs) {
      Values values = sizes;
      for (std::size_t i = 0; i < values.size(); ++i)
        if ((signs >> i) % 2 == 1) values[i] = -values[i];
      sum += std::exp(log_sign_e(values));
    }
    CHECK_THAT(sum / static_cast<double>(all), WithinAbs(1.0, 1e-12));
  }
}

TEST_CASE("differences of plus or minus one stop the anytime t as often as it promises") {
  // 8.84 % where the t decides alone: the exact sum over the random walk of 60 pairs.
  constexpr int studies = 4'000;
  int by_t = 0, decided = 0;
  for (int study = 0; study < studies; ++study) {
    Values values;
    Stream draws(derive(17, "signs"), static_cast<std::uint64_t>(study));
    for (int i = 0; i < 60; ++i) values.push_back(draws.next() >> 63 == 1 ? 1.0 : -1.0);
    const auto steps = watch("t_anytime", values, {.horizon = 60});
    decided += steps.back().status == Status::inconclusive ? 0 : 1;
    bool reached = false;
    for (std::size_t n = 5; n <= values.size() && !reached; ++n) {
      const auto so_far = std::span(values).first(n);
      const double spread = *sd(so_far), center = *mean(so_far), count = static_cast<double>(n);
      reached = spread == 0.0 || std::fabs(center) * std::sqrt(count) / spread >= *t_boundary(n);
    }
    by_t += reached ? 1 : 0;
  }
  CHECK_THAT(by_t / static_cast<double>(studies), WithinAbs(.0884, 4 * std::sqrt(.0884 * .9116 / studies)));
  CHECK(decided / static_cast<double>(studies) <= .05);
}

TEST_CASE("ties are counted and carry no evidence") {
  Values values;
  for (int i = 0; i < 7; ++i) values.insert(values.end(), {1e-6, 1.0});
  const auto steps = watch("dual_e", values, {.tie = 1e-3});
  CHECK(steps.size() == 14);
  CHECK(steps.back().ties == 7);
  CHECK(steps.back().state == SequentialState::decided_for);
  CHECK(steps[12].log_e == steps[11].log_e);
  CHECK(steps[13].wins == 7);
}

TEST_CASE("a run that diverged is a won or lost pair, not a number") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(watch("dual_e", Values{-infinity, -infinity, -infinity}).back().status == Status::not_meaningful);
  CHECK(refused_field([&] { (void)watch("t_anytime", Values{1, -infinity}); }) == "differences[1]");
}

TEST_CASE("a bounded rule ends at its horizon or before") {
  Values alternating;
  for (int i = 0; i < 60; ++i) alternating.push_back(i % 3 == 2 ? -1.0 : 1.0);  // two thirds won
  const auto steps = watch("dual_e", alternating, {.horizon = 20});
  CHECK(steps.back().state == SequentialState::ended);
  CHECK(steps.size() <= 20);
  CHECK(watch("t_anytime", series(5, 30, 0), {.horizon = 12}).size() <= 12);
  const auto looks = watch("pocock", series(9, 30, 0), {.looks = {5, 10, 20}});
  CHECK(looks.size() <= 20);
  CHECK_FALSE(looks.front().boundary);
  CHECK(looks[4].boundary);
}

TEST_CASE("group-sequential rules stop at looks only") {
  const auto steps = watch("pocock", Values{.3, .31, .29, .305, .302, .32, .3, .3, .3, .3}, {.looks = {5, 10}});
  CHECK(steps.size() == 5);
  CHECK(steps.back().state == SequentialState::decided_for);
  CHECK(*steps.back().interval.low > 0.0);
}

TEST_CASE("a look at a few differences that repeat stops nothing, and one at enough of them does") {
  // Of n equal differences the p of a side is 2^-n. The boundaries of two looks at 5 and 10 pairs (Pocock type) have a
  // side of about .0155 and .014, so 1/32 is not enough and 1/1024 is.
  const auto steps = watch("pocock", Values(10, .3), {.looks = {5, 10}});
  CHECK(steps.size() == 10);
  CHECK(steps[4].status == Status::inconclusive);
  CHECK(steps[4].statistic);
  CHECK_FALSE(steps[4].interval.low);
  CHECK(steps.back().state == SequentialState::decided_for);
  CHECK_THAT(*steps.back().statistic, WithinAbs(3.0972690781, 1e-9));  // SciPy 1.17.1: stats.norm.isf(1 / 1024)
  CHECK_THAT(*steps.back().interval.low, WithinRel(.3, 1e-12));
}

TEST_CASE("rules and settings are refused by name") {
  CHECK(refused_field([] { (void)watch("peek", Values{1}); }) == "rule");
  CHECK(refused_field([] { (void)watch("dual_e", Values{1}, {.alpha = .7}); }) == "alpha");
  CHECK(refused_field([] { (void)watch("betting", Values{1}); }) == "low");
  CHECK(refused_field([] { (void)watch("betting", Values{2}, {.low = -1, .high = 1}); }) == "differences[0]");
  CHECK(refused_field([] { (void)watch("pocock", Values{2}, {.looks = {5, 5}}); }) == "looks[1]");
  CHECK(refused_field([] { (void)watch("sprt", Values{2}, {.horizon = 0}); }) == "horizon");
  CHECK(refused_field([] { (void)watch("sprt", Values{std::nan("")}); }) == "differences[0]");
}

}  // namespace retrial::tests::sequential_sequential_tests
