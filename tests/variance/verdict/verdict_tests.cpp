#include "variance/verdict/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::verdict_tests {

using namespace retrial::variance;

namespace {

Design design_of(std::int64_t pairs) {
  return {.candidate = "kd", .baseline = "scratch", .metric = "accuracy", .gamma = .75, .pairs = pairs};
}

/// Scores of a candidate with these wins, ties and losses; differences vary and are spread along the list.
PairedScores scores_of(int wins, int losses, int ties = 0) {
  PairedScores scores{.direction = Direction::higher};
  Stream stream(derive(1, "scores"));
  std::vector<int> kinds(static_cast<std::size_t>(wins), 1);
  kinds.insert(kinds.end(), static_cast<std::size_t>(losses), -1);
  kinds.insert(kinds.end(), static_cast<std::size_t>(ties), 0);
  const auto order = permutation(derive(1, "order"), static_cast<std::uint32_t>(kinds.size()));
  for (const std::uint32_t i : order) {
    const double base = uniform(stream.next(), 80.0, 90.0), gap = uniform(stream.next(), .1, 1.0);
    scores.baseline.emplace_back(base);
    scores.candidate.emplace_back(base + kinds[i] * gap);
  }
  return scores;
}

Verdict judged(int wins, int losses, int ties = 0) {
  return judge(scores_of(wins, losses, ties), design_of(wins + losses + ties));
}

PairedScores exchanged(PairedScores scores) {
  std::swap(scores.candidate, scores.baseline);
  return scores;
}

bool mentions(const std::vector<std::string>& warnings, const std::string& part) {
  return std::ranges::any_of(warnings, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("31 wins of 42 are BETTER, and the sentence says how often that is wrong") {
  const auto verdict = judged(31, 11);
  CHECK(verdict.status == Status::better);
  CHECK(sentence(verdict) ==
        "kd beat scratch in 31 of 42 pairs: kd is BETTER than scratch. If the two were equally good, this rule would "
        "say BETTER in at most 4.42 % of studies.");
  CHECK(verdict.counts == PairedWin{.wins = 31, .losses = 11});
  CHECK(verdict.planned.better_from == 27);
  CHECK_THAT(verdict.planned.size, WithinRel(.0442147735, 1e-8));
  CHECK_THAT(verdict.planned.power, WithinRel(.9583713019, 1e-9));
  CHECK(verdict.applied.min_p == 0x1p-42);
  CHECK(verdict.p_better < .01);
  CHECK(verdict.p_worse > .99);
  CHECK(verdict.warnings.empty());
}

TEST_CASE("31 losses of 42 make the candidate WORSE") {
  const auto verdict = judged(11, 31);
  CHECK(verdict.status == Status::worse);
  CHECK(sentence(verdict) ==
        "scratch beat kd in 31 of 42 pairs: kd is WORSE than scratch. If the two were equally good, this rule would "
        "say WORSE in at most 4.42 % of studies.");
}

TEST_CASE("too few wins for gamma are NOT MEANINGFUL") {
  const auto verdict = judged(24, 18);
  CHECK(verdict.status == Status::not_meaningful);
  CHECK(sentence(verdict) ==
        "kd beat scratch in 24 of 42 pairs: any advantage of kd over scratch is NOT MEANINGFUL. A candidate with a "
        "true win rate of 75 % would win this few pairs in at most 5 % of studies.");
}

TEST_CASE("between the limits the verdict is INCONCLUSIVE and says how many more pairs") {
  const auto verdict = judged(13, 7);
  CHECK(verdict.status == Status::inconclusive);
  REQUIRE(verdict.more_pairs);
  CHECK(verdict.more_pairs->pairs == 15);
  CHECK(sentence(verdict) ==
        "kd beat scratch in 13 of 20 pairs: kd vs scratch is INCONCLUSIVE. A new study with 35 untied pairs (15 "
        "more) would reach a verdict with probability 80 %.");
  CHECK(mentions(verdict.warnings, "power 61.7 %"));
  CHECK(sentence(judged(1, 0)) ==
        "kd beat scratch in 1 of 1 pair: kd vs scratch is INCONCLUSIVE. A new study would need more than 11 pairs to "
        "reach a verdict.");
}

TEST_CASE("a small difference inside the margin is EQUIVALENT, and BETTER comes first") {
  Design design = design_of(20);
  design.margin = 1.0;
  const auto verdict = judge(scores_of(10, 10), design);
  CHECK(verdict.status == Status::equivalent);
  REQUIRE(verdict.equivalence);
  CHECK(verdict.equivalence->difference.level == .9);
  CHECK(*verdict.equivalence->difference.low > -1.0);
  CHECK(*verdict.equivalence->difference.high < 1.0);
  const auto text = sentence(verdict);
  CHECK_THAT(text, has_text("kd is EQUIVALENT to scratch"));
  CHECK_THAT(text, has_text("90 % interval"));
  CHECK(judge(scores_of(18, 2), design).status == Status::better);
  design.margin = .001;
  CHECK(judge(scores_of(10, 10), design).status == Status::not_meaningful);
}

TEST_CASE("a lost trial forbids a claim of equivalence over the rest") {
  Design design = design_of(20);
  design.margin = 1.0;
  auto scores = scores_of(10, 10);
  scores.candidate[4] = std::numeric_limits<double>::quiet_NaN();
  const auto verdict = judge(scores, design);
  CHECK(verdict.status != Status::equivalent);
  CHECK(mentions(verdict.warnings, "no claim of equivalence: 1 judged pair"));
  CHECK(mentions(verdict.warnings, "1 trial of kd diverged"));
}

TEST_CASE("lower is better where the metric says so, and differences keep the sign of the metric") {
  auto scores = scores_of(31, 11);
  scores.direction = Direction::lower;
  const auto verdict = judge(scores, design_of(42));
  CHECK(verdict.status == Status::worse);
  CHECK(verdict.counts == PairedWin{.wins = 11, .losses = 31});
  const auto higher = judged(31, 11);
  CHECK(verdict.difference->mean.point == higher.difference->mean.point);
  CHECK_THAT(verdict.unpaired->theta, WithinAbs(1 - higher.unpaired->theta, 1e-12));
}

TEST_CASE("a metric without direction is never judged") {
  auto scores = scores_of(5, 5);
  scores.direction = Direction::none;
  CHECK(refused_field([&] { (void)judge(scores, design_of(10)); }) == "direction");
}

TEST_CASE("a fixed design is INVALID with more pairs than declared and with fewer") {
  const auto more = judge(scores_of(31, 11), design_of(40)), fewer = judge(scores_of(31, 11), design_of(50));
  CHECK(more.status == Status::invalid);
  CHECK(more.reason == InvalidReason::extended);
  CHECK(sentence(more) ==
        "kd vs scratch is INVALID (extended): the design declared 40 pairs and the study has 42; a fixed design may "
        "not be extended.");
  CHECK(fewer.reason == InvalidReason::design_mismatch);
  CHECK_THAT(sentence(fewer), has_text("INVALID (design-mismatch): the design declared 50 pairs and the study has 42"));
  CHECK(fewer.counts.wins == 31);  // numbers are there all the same
  CHECK(judge({.direction = Direction::higher}, design_of(5)).reason == InvalidReason::design_mismatch);
}

TEST_CASE("more ties than the design allows are INVALID, fewer are conditioned on") {
  const auto many = judged(6, 3, 11);
  CHECK(many.reason == InvalidReason::ties);
  CHECK(sentence(many) ==
        "kd vs scratch is INVALID (ties): 11 of 20 pairs tied, more than the 50 % that the design allows.");
  const auto some = judged(31, 9, 2);
  CHECK(some.status == Status::better);
  CHECK(some.flags.conditional_on_ties);
  CHECK(some.applied.pairs == 40);
  CHECK(some.planned.pairs == 42);
  CHECK(some.paired_p.method == "clopper_pearson, trinomial");
  CHECK_THAT(sentence(some), has_text("kd beat scratch in 31 of 40 untied pairs (2 more tied): "));
  CHECK(judged(0, 0, 5).reason == InvalidReason::ties);
  CHECK_FALSE(judged(8, 2, 10).reason);  // half of the pairs is what the design allows
}

TEST_CASE("the resolution of the metric makes small differences ties") {
  auto scores = scores_of(10, 10);
  scores.resolution = 100.0;
  CHECK(judge(scores, design_of(20)).counts.ties == 20);
  scores.resolution = .1;  // half a step is .05, every difference is at least .1
  CHECK(judge(scores, design_of(20)).counts.ties == 0);
}

TEST_CASE("failed trials follow the policy that was declared") {
  auto scores = scores_of(31, 11);
  for (const std::size_t i : {0U, 1U, 2U}) scores.candidate[i].reset();
  scores.baseline[2].reset();  // pair 2: both failed
  scores.baseline[3].reset();
  Design design = design_of(42);
  const auto lost = judge(scores, design);
  CHECK(lost.counts.ties == 1);
  CHECK(lost.counts.pairs() == 42);
  CHECK(lost.candidate.missing == 3);
  CHECK(lost.baseline.missing == 2);
  CHECK(lost.complete_pairs == 38);
  CHECK(mentions(lost.warnings, "3 trials of kd failed; a failed trial counts as a loss"));
  design.failure = FailurePolicy::drop;
  const auto dropped = judge(scores, design);
  CHECK(dropped.counts.pairs() == 38);
  CHECK(dropped.dropped_pairs == 4);
  CHECK_FALSE(dropped.status == Status::invalid);
  design.failure = FailurePolicy::refuse;
  const auto refused = judge(scores, design);
  CHECK(refused.reason == InvalidReason::missing);
  CHECK(sentence(refused) ==
        "kd vs scratch is INVALID (missing): 3 trials of kd and 2 of scratch failed, and the design refuses failed "
        "trials.");
}

TEST_CASE("a failed or diverged trial loses its pair by the policy loss, whatever the scores") {
  for (const auto direction : {Direction::higher, Direction::lower})
    for (const auto& bad :
         {std::optional<double>{}, std::optional{std::nan("")}, std::optional{HUGE_VAL}, std::optional{-HUGE_VAL}}) {
      PairedScores scores{.candidate = {bad, 0.0, bad}, .baseline = {1e13, bad, bad}, .direction = direction};
      CHECK(judge(scores, design_of(3)).counts == PairedWin{.wins = 1, .ties = 1, .losses = 1});
    }
}

TEST_CASE("a diverged trial stays in under the policies drop and refuse") {
  auto scores = scores_of(31, 11);
  scores.candidate[0] = HUGE_VAL;
  for (const auto policy : {FailurePolicy::drop, FailurePolicy::refuse}) {
    Design design = design_of(42);
    design.failure = policy;
    const auto verdict = judge(scores, design);
    CHECK(verdict.status == Status::better);
    CHECK(verdict.counts.pairs() == 42);
    CHECK(verdict.candidate.diverged == 1);
    CHECK(verdict.candidate.runs == 41);
  }
}

TEST_CASE("nothing left after dropping is INVALID (missing)") {
  PairedScores scores{.candidate = {{}, {}}, .baseline = {1.0, 2.0}, .direction = Direction::higher};
  Design design = design_of(2);
  design.failure = FailurePolicy::drop;
  const auto verdict = judge(scores, design);
  CHECK(verdict.reason == InvalidReason::missing);
  CHECK_THAT(sentence(verdict), has_text("no pair is left"));
  CHECK_FALSE(verdict.paired_p.low);
  CHECK_FALSE(verdict.unpaired);
}

TEST_CASE("exchanging the variants exchanges BETTER and WORSE and mirrors every number") {
  for (int wins = 0; wins <= 20; ++wins) {
    const auto scores = scores_of(wins, 20 - wins);
    const auto one = judge(scores, design_of(20)), other = judge(exchanged(scores), design_of(20));
    REQUIRE((one.status == Status::better) == (other.status == Status::worse));
    REQUIRE((one.status == Status::worse) == (other.status == Status::better));
    REQUIRE(one.p_better == other.p_worse);
    REQUIRE_THAT(*one.paired_p.low, WithinAbs(1 - *other.paired_p.high, 1e-12));
    REQUIRE_THAT(one.unpaired->theta, WithinAbs(1 - other.unpaired->theta, 1e-15));
    REQUIRE(one.difference->mean.point == -other.difference->mean.point);
    REQUIRE(*one.pairing_gain == *other.pairing_gain);
    REQUIRE(one.candidate.mean == other.baseline.mean);
  }
}

TEST_CASE("the order of the pairs changes nothing but the drift flag") {
  const auto scores = scores_of(26, 16);
  auto sorted = scores;  // by difference: a drift if ever there was one
  std::vector<std::size_t> order(42);
  for (std::size_t i = 0; i < 42; ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return *scores.candidate[i] - *scores.baseline[i]; });
  for (std::size_t i = 0; i < 42; ++i) {
    sorted.candidate[i] = scores.candidate[order[i]];
    sorted.baseline[i] = scores.baseline[order[i]];
  }
  const auto one = judge(scores, design_of(42)), other = judge(sorted, design_of(42));
  CHECK(one.status == other.status);
  CHECK(sentence(one) == sentence(other));
  CHECK(one.counts == other.counts);
  CHECK(one.unpaired->theta == other.unpaired->theta);
  CHECK_THAT(*one.paired_theta_se, WithinRel(*other.paired_theta_se, 1e-12));
  CHECK_THAT(one.difference->mean.point, WithinRel(other.difference->mean.point, 1e-12));
  CHECK_THAT(*one.candidate.sd, WithinRel(*other.candidate.sd, 1e-12));
  CHECK_FALSE(one.flags.drift);
  CHECK(other.flags.drift);
  CHECK(mentions(other.warnings, "drift along the seed list"));
}

TEST_CASE("means, deviations, gain and theta are those of the functions they come from") {
  // The five pairs whose theta, placements and DeLong error are golden values of the tests of theta.
  PairedScores scores{
      .candidate = {.81, .83, .80, .86, .84}, .baseline = {.80, .82, .79, .81, .83}, .direction = Direction::higher};
  const auto verdict = judge(scores, design_of(5));
  CHECK_THAT(verdict.unpaired->theta, WithinAbs(.74, 1e-12));
  CHECK_THAT(*verdict.unpaired->interval.low, WithinAbs(.3329720027, 1e-9));
  CHECK_THAT(*verdict.paired_theta_se, WithinAbs(.0663324958, 1e-9));
  CHECK_THAT(*verdict.candidate.mean, WithinAbs(.828, 1e-12));
  // Squares about the means: .00228 and .001; differences .01 .01 .01 .05 .01: mean .018, squares .00128.
  CHECK_THAT(*verdict.candidate.sd, WithinAbs(std::sqrt(.00228 / 4), 1e-12));
  CHECK_THAT(*verdict.pairing_gain, WithinRel((.00228 + .001) / .00128, 1e-9));
  CHECK_THAT(verdict.difference->mean.point, WithinAbs(.018, 1e-12));
  CHECK(verdict.status == Status::better);  // five of five: p = 1/32
  CHECK(verdict.p_better == 1.0 / 32);
}

TEST_CASE("the binomial floor is reported with the deviation of an accuracy") {
  auto scores = scores_of(10, 10);
  scores.test_items = 277;
  scores.scores_in_percent = true;
  const auto verdict = judge(scores, design_of(20));
  const double tau = *verdict.baseline.mean / 100, floor = 100 * std::sqrt(tau * (1 - tau) / 277);
  CHECK_THAT(*verdict.baseline.binomial_floor, WithinRel(floor, 1e-12));
  CHECK_THAT(*verdict.baseline.floor_share, WithinRel(std::pow(floor / *verdict.baseline.sd, 2), 1e-12));
  CHECK(mentions(verdict.warnings, "of the variance of scratch comes from the size of the test set"));
  scores.same_test_items = true;  // held items are no part of the variance between the runs
  const auto held = judge(scores, design_of(20));
  CHECK_FALSE(held.baseline.floor_share);
  CHECK(held.baseline.binomial_floor == verdict.baseline.binomial_floor);
  CHECK(mentions(held.warnings, "was tested on the same items"));
  CHECK_FALSE(mentions(held.warnings, "comes from the size of the test set"));
  scores.same_test_items = false;
  scores.scores_in_percent = false;  // 85 is no fraction: there is no floor
  CHECK_FALSE(judge(scores, design_of(20)).baseline.binomial_floor);
}

TEST_CASE("a coarse metric, a small sample and scores without spread are flagged") {
  PairedScores coarse{.direction = Direction::higher};
  for (int i = 0; i < 12; ++i) {
    coarse.candidate.emplace_back(90 + i % 3);
    coarse.baseline.emplace_back(80 + i % 5);
  }
  CHECK(judge(coarse, design_of(12)).flags.coarse_metric);
  CHECK_FALSE(judged(6, 6).flags.coarse_metric);
  PairedScores half{.candidate = {1, 2, 1, 2}, .baseline = {3, 4, 4, 3}, .direction = Direction::higher};
  CHECK_FALSE(judge(half, design_of(4)).flags.coarse_metric);  // two distinct of four: not below half

  CHECK(judged(4, 0).flags.small_sample);
  CHECK_FALSE(judged(5, 0).flags.small_sample);
  CHECK(mentions(judged(4, 0).warnings, "smallest attainable p is 0.0625"));

  PairedScores constant{.candidate = {.3, .3, .3}, .baseline = {.2, .2, .2}, .direction = Direction::higher};
  const auto verdict = judge(constant, design_of(3));
  CHECK(verdict.flags.degenerate);
  CHECK_FALSE(verdict.pairing_gain);
  CHECK(verdict.candidate.sd == 0.0);
  CHECK(mentions(verdict.warnings, "all scores of kd are identical"));
}

TEST_CASE("one pair has means and a share, but no deviation and no t") {
  const auto verdict = judged(1, 0);
  CHECK(verdict.candidate.mean);
  CHECK_FALSE(verdict.candidate.sd);
  CHECK_FALSE(verdict.difference);
  CHECK_FALSE(verdict.drift_test);
  CHECK_THAT(*verdict.paired_p.low, WithinAbs(.025, 1e-12));
  CHECK(*verdict.paired_p.high == 1.0);
}

TEST_CASE("equal variants are called BETTER no more often than the size says") {
  // 2,000 comparisons of 42 pairs: at 4.42 % expect 88 +- 9; above 120 with probability below .001.
  int better = 0, worse = 0, found = 0;
  for (std::uint64_t repeat = 0; repeat < 2000; ++repeat) {
    PairedScores null{.direction = Direction::higher}, shifted{.direction = Direction::higher};
    Stream stream(derive(derive(6, "null"), repeat));
    for (int i = 0; i < 42; ++i) {
      const double shared = normal(stream.next()), a = normal(stream.next()), b = normal(stream.next());
      null.candidate.emplace_back(shared + a), null.baseline.emplace_back(shared + b);
      shifted.candidate.emplace_back(shared + a + .9538725524), shifted.baseline.emplace_back(shared + b);
    }
    const auto status = judge(null, design_of(42)).status;
    better += status == Status::better;
    worse += status == Status::worse;
    found += judge(shifted, design_of(42)).status == Status::better;  // P(win) = .75: power .958
  }
  CHECK(better > 58);
  CHECK(better < 120);
  CHECK(worse > 58);
  CHECK(worse < 120);
  CHECK_THAT(found / 2000.0, WithinAbs(.958, .016));
}

TEST_CASE("a design out of range is refused by the name of its field") {
  const auto refused = [](auto change) {
    Design design = design_of(10);
    change(design);
    return refused_field([&] { (void)judge(scores_of(5, 5), design); });
  };
  CHECK(refused([](Design& d) { d.alpha = .5; }) == "alpha");
  CHECK(refused([](Design& d) { d.beta = 0; }) == "beta");
  CHECK(refused([](Design& d) { d.gamma = .5; }) == "gamma");
  CHECK(refused([](Design& d) { d.tie_limit = 1; }) == "tie_limit");
  CHECK(refused([](Design& d) { d.pairs = 0; }) == "pairs");
  CHECK(refused([](Design& d) { d.margin = 0; }) == "margin");
  CHECK(refused([](Design& d) { d.candidate.clear(); }) == "candidate");
  CHECK(refused([](Design& d) { d.baseline.clear(); }) == "baseline");
  auto unequal = scores_of(5, 5);
  unequal.baseline.pop_back();
  CHECK(refused_field([&] { (void)judge(unequal, design_of(10)); }) == "scores");
  auto items = scores_of(5, 5);
  items.test_items = 0;
  CHECK(refused_field([&] { (void)judge(items, design_of(10)); }) == "test_items");
}

}  // namespace retrial::tests::verdict_tests
