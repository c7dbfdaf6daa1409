// Sequential designs and fixed designs by another test, judged as a whole. Boundaries: group T of the reference values
// (exact forward sums over all paths); others by hand from the definition of the rule.
#include "variance/verdict/sequential_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tests/catch.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/designs/simulated_operating.hpp"
#include "variance/looks/group_permutation.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::sequential_verdict_tests {

using namespace retrial::variance;
using retrial::InvalidInput;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Design design_of(const std::string& family, std::int64_t pairs) {
  Design design{.candidate = "kd", .baseline = "scratch", .metric = "accuracy", .gamma = .75, .pairs = pairs};
  design.family = family;
  design.key = 5;
  return design;
}

/// w: won, l: lost, t: tied, f: the candidate failed, F: both failed, d: the candidate diverged. Gains vary.
PairedScores scores_of(const std::string& pairs) {
  PairedScores scores{.direction = Direction::higher};
  double gain = 1.0;
  for (const char c : pairs) {
    gain = gain > 2.0 ? gain - 1.7 : gain + 0.37;
    scores.baseline.emplace_back(80.0);
    scores.candidate.emplace_back(c == 'w' ? 80.0 + gain : c == 'l' ? 80.0 - gain : c == 'd' ? nan : 80.0);
    if (c == 'f' || c == 'F') scores.candidate.back().reset();
    if (c == 'F') scores.baseline.back().reset();
  }
  return scores;
}

Verdict judged(const std::string& family, std::int64_t pairs, const std::string& outcomes) {
  return judge(scores_of(outcomes), design_of(family, pairs));
}

std::string wins(int n) {
  return std::string(static_cast<std::size_t>(n), 'w');
}

}  // namespace

TEST_CASE("dual_e says BETTER after seven straight wins and NOT MEANINGFUL after three straight losses") {
  const auto better = judged("dual_e", 60, wins(9));
  CHECK(better.status == Status::better);
  REQUIRE(better.sequential);
  CHECK(better.sequential->at_n == 7);
  CHECK(better.sequential->given == 9);
  CHECK(better.counts.pairs() == 7);
  CHECK(better.candidate.runs == 7);
  CHECK_THAT(sentence(better), has_text("7 of 7 pairs"));
  const auto against = judged("dual_e", 60, "lllwww");
  CHECK(against.status == Status::not_meaningful);
  CHECK(against.sequential->at_n == 3);
  const auto open = judged("dual_e", 60, wins(6));
  CHECK(open.status == Status::inconclusive);
  CHECK(open.sequential->state == SequentialState::go_on);
  CHECK(open.sequential->wins_to_better == 1);
  CHECK_THAT(sentence(open), has_text("not decided yet; 1 win in a row would give BETTER"));
}

TEST_CASE("a curtailed design says what the fixed one says, as soon as it is settled") {
  // 42 pairs: BETTER at 27 wins, NOT MEANINGFUL at 26 and fewer; 16 losses settle it.
  CHECK(judged("curtailed", 42, wins(40)).sequential->at_n == 27);
  CHECK(judged("curtailed", 42, std::string(40, 'l')).sequential->at_n == 16);
  CHECK(judged("curtailed", 42, wins(26) + std::string(15, 'l')).sequential->state == SequentialState::go_on);
  const auto fixed = judge(scores_of(wins(27) + std::string(15, 'l')), design_of("fixed", 42));
  const auto curtailed = judged("curtailed", 42, wins(27) + std::string(15, 'l'));
  CHECK(fixed.status == curtailed.status);
  REQUIRE(curtailed.sequential->at_half);
  CHECK_THAT(curtailed.sequential->at_half->better, WithinAbs(fixed.planned.size, 1e-12));
  CHECK_THAT(curtailed.sequential->at_win_rate->better, WithinAbs(fixed.planned.power, 1e-12));
}

TEST_CASE("what a sequential design says of the first pairs does not depend on the later ones") {
  for (const auto& family : all_design_families()) {
    if (!family.sequential()) continue;
    CAPTURE(family.name);
    Design design = design_of(std::string(family.name), 40);
    if (family.name == "betting") design.range = std::pair{60.0, 100.0};
    const std::string outcomes = "wlwwtwwlwwwwlwwwwwtwwwwwlwwwwwwwwwwwwwww";
    const auto all = follow(scores_of(outcomes), design).part;
    for (std::size_t n = 1; n <= outcomes.size(); ++n) {
      const auto some = follow(scores_of(outcomes.substr(0, n)), design).part;
      if (static_cast<std::int64_t>(n) < all.at_n) CHECK(some.state == SequentialState::go_on);
      if (static_cast<std::int64_t>(n) >= all.at_n) CHECK(some.at_n == all.at_n);
    }
  }
}

TEST_CASE("ties do not advance a rule on wins, and too many of them are INVALID") {
  const auto tied = judged("dual_e", 60, "twtwwtwwww");
  CHECK(tied.status == Status::better);
  CHECK(tied.sequential->at_n == 10);
  CHECK(tied.counts.ties == 3);
  const auto many = judged("dual_e", 60, "ttttttttwwwwwww");
  CHECK(many.status == Status::invalid);
  CHECK(many.reason == InvalidReason::ties);
  CHECK(judged("dual_e", 3, "ttt").reason == InvalidReason::ties);
}

TEST_CASE("pairs that tie are lost to the horizon, and a design ends when those left cannot decide") {
  Design design = design_of("dual_e", 9);
  design.tie_limit = 0.9;
  const auto ended = judge(scores_of("tttwwwww"), design);
  CHECK(ended.sequential->state == SequentialState::ended);
  CHECK(ended.status == Status::inconclusive);
  // Two wins, four pairs left: NOT MEANINGFUL takes eight untied pairs, BETTER seven wins.
  CHECK(ended.sequential->at_n == 5);
  CHECK(judged("dual_e", 10, "tttwww").sequential->state == SequentialState::go_on);
}

TEST_CASE("failed and diverged trials are what the failure policy says") {
  auto design = design_of("dual_e", 60);
  CHECK(judge(scores_of("fff"), design).status == Status::not_meaningful);
  CHECK(judge(scores_of("ddd"), design).status == Status::not_meaningful);
  CHECK(judge(scores_of("Fwwwwwww"), design).counts.ties == 1);
  design.failure = FailurePolicy::drop;
  const auto dropped = judge(scores_of("fwffwwwwww"), design);
  CHECK(dropped.status == Status::better);
  CHECK(dropped.sequential->at_n == 10);
  CHECK(dropped.sequential->left_out == 3);
  CHECK(dropped.dropped_pairs == 3);
  design.failure = FailurePolicy::refuse;
  const auto refused = judge(scores_of("wwfwwwwww"), design);
  CHECK(refused.status == Status::invalid);
  CHECK(refused.reason == InvalidReason::missing);
  CHECK(refused.sequential->state == SequentialState::ended);
  // Failures after the boundary do not matter.
  CHECK(judge(scores_of("wwwwwwwf"), design).status == Status::better);
}

TEST_CASE("a family on numbers is INVALID for scores it cannot use") {
  for (const char* outcomes : {"wwfww", "wwdww"}) {
    const auto v = judged("t_anytime", 40, outcomes);
    CHECK(v.status == Status::invalid);
    CHECK(v.reason == InvalidReason::missing);
    CHECK_THAT(sentence(v), has_text("in pair 2"));
  }
  auto betting = design_of("betting", 40);
  betting.range = std::pair{0.0, 81.0};
  const auto outside = judge(scores_of("wlwww"), betting);
  CHECK(outside.reason == InvalidReason::design_mismatch);
  CHECK_THAT(sentence(outside), has_text("declared range 0 to 81"));
  betting.range = std::pair{0.0, 100.0};
  CHECK(judge(scores_of("wlwww"), betting).status == Status::inconclusive);
}

TEST_CASE("one pair decides nothing, no pair is no verdict, and more than declared is extended") {
  for (const auto& family : all_design_families()) {
    if (!family.sequential()) continue;
    CAPTURE(family.name);
    Design design = design_of(std::string(family.name), 20);
    design.range = std::pair{0.0, 100.0};
    CHECK(judge(scores_of("w"), design).status == Status::inconclusive);
    CHECK(judge(scores_of(""), design).status == Status::inconclusive);
    const auto extended = judge(scores_of(wins(21)), design);
    CHECK(extended.status == Status::invalid);
    CHECK(extended.reason == InvalidReason::extended);
  }
}

TEST_CASE("lists of unequal length, a metric without direction and unknown names are refused") {
  auto uneven = scores_of("www");
  uneven.baseline.pop_back();
  CHECK_THROWS_AS(judge(uneven, design_of("dual_e", 20)), InvalidInput);
  auto undirected = scores_of("www");
  undirected.direction = Direction::none;
  CHECK_THROWS_AS(judge(undirected, design_of("dual_e", 20)), InvalidInput);
  CHECK_THROWS_WITH(judge(scores_of("www"), design_of("duale", 20)), has_text("dual_e"));
  CHECK_THROWS_AS(judge(scores_of("www"), design_of("betting", 20)), InvalidInput);
}

TEST_CASE("if the scores decide the number of pairs, only results that hold at every look are reported") {
  const auto v = judged("dual_e", 60, wins(7));
  CHECK_FALSE(v.unpaired);
  CHECK_FALSE(v.equivalence);
  REQUIRE(v.difference);
  CHECK_FALSE(v.difference->mean.low);
  CHECK(v.paired_p.low);
  // 1 / e of seven straight wins: E(7,7) = 31.875.
  REQUIRE(v.sequential->always_valid_p);
  CHECK_THAT(*v.sequential->always_valid_p, WithinRel(1.0 / 31.875, 1e-9));
}

TEST_CASE("with a metric of which less is better, signs and intervals turn and the verdict stays") {
  const std::string outcomes = "wlwwwwwwwwwwwwwwww";
  auto scores = scores_of(outcomes);
  const auto higher = judge(scores, design_of("t_anytime", 40));
  for (auto* side : {&scores.candidate, &scores.baseline})
    for (auto& score : *side) score = -*score;
  scores.direction = Direction::lower;
  const auto lower = judge(scores, design_of("t_anytime", 40));
  CHECK(lower.status == higher.status);
  CHECK(lower.sequential->at_n == higher.sequential->at_n);
  REQUIRE((higher.difference->mean.low && lower.difference->mean.high));
  CHECK(*lower.difference->mean.high == -*higher.difference->mean.low);
  CHECK(lower.difference->mean.point == -higher.difference->mean.point);
}

TEST_CASE("two sides halve alpha, and a gamma of independent runs is converted") {
  Design design = design_of("dual_e", 60);
  design.sides = Sides::two;
  CHECK(design.levels().alpha == 0.025);
  // E(7,7) = 31.875 is below 40, E(8,8) is 2^9 / 9 (1 - 2^-9) = 56.8.
  CHECK(judge(scores_of(wins(9)), design).sequential->at_n == 8);
  design.correlation = 0.756;
  CHECK_THAT(*design.levels().gamma, WithinAbs(0.9139464619, 1e-9));  // reference value I20
}

TEST_CASE("a fixed design by another test ends as that test does, and needs a score of every trial") {
  Design design = design_of("fixed", 10);
  design.test = "wilcoxon";
  const auto scores = scores_of("wwwwwlwwww");
  const auto v = judge(scores, design);
  std::vector<double> candidate, baseline;
  for (std::size_t i = 0; i < 10; ++i) {
    candidate.push_back(*scores.candidate[i]);
    baseline.push_back(*scores.baseline[i]);
  }
  const auto outcome = compare("wilcoxon", candidate, baseline,
                               {.direction = Direction::higher, .resolution = {}, .margin = {}, .overlap = {}});
  CHECK(v.status == outcome.status);
  REQUIRE(v.test);
  CHECK(v.test->p == outcome.p);
  CHECK(judge(scores_of("wwwwwlwwwf"), design).reason == InvalidReason::missing);
  design.failure = FailurePolicy::drop;
  CHECK(judge(scores_of("wwwwwlwwwf"), design).test);
  CHECK(judge(scores_of("wwwwwlwwwd"), design).reason == InvalidReason::missing);
}

TEST_CASE("a band of shares makes a fixed design EQUIVALENT when the exact interval lies in it") {
  // 200 of 400: the 90 % Clopper-Pearson interval is [.4577, .5423].
  std::string even;
  for (int i = 0; i < 200; ++i) even += "wl";
  Design design = design_of("fixed", 400);
  design.band = std::pair{0.45, 0.55};
  const auto v = judge(scores_of(even), design);
  CHECK(v.status == Status::equivalent);
  CHECK_THAT(sentence(v), has_text("within 0.45 to 0.55"));
  design.band = std::pair{0.46, 0.55};
  CHECK(judge(scores_of(even), design).status == Status::not_meaningful);
}

TEST_CASE("simulated figures agree with those of an independent simulation and with the declared alpha") {
  // T33: g = 1, alpha = .05: rejects by n = 200 under the null .0318 +- .001; mean n at effect .6744898 24.22 +- .1.
  const auto null = simulated_operating(design_of("t_anytime", 200), 0.5, 1, 20'000);
  REQUIRE(null);
  CHECK_THAT(null->mean.better + null->mean.against, WithinAbs(0.0318, 0.005));
  const auto effect = simulated_operating(design_of("t_anytime", 200), 0.75, 1, 20'000);
  CHECK_THAT(effect->mean.pairs, WithinAbs(24.22, 0.4));
  Design groups = design_of("group_sequential", 50);
  groups.looks = {10, 20, 30, 40, 50};
  const auto size = simulated_operating(groups, 0.5, 1, 20'000);
  CHECK_THAT(size->mean.better + size->mean.against, WithinAbs(0.05, 0.006));
  CHECK_FALSE(simulated_operating(design_of("dual_e", 50), 0.5, 1));
  CHECK_FALSE(simulated_operating(design_of("betting", 50), 0.5, 1));
}

TEST_CASE("a simulated path stops where the rule itself stops") {
  // The table of bounds on t against the rule that asks for evidence, on one series: the same pair.
  const auto verdict = judged("t_anytime", 60, wins(60));
  const auto& looks = verdict.sequential->looks;
  REQUIRE(verdict.status == Status::better);
  for (std::size_t i = 1; i < looks.size(); ++i) {
    if (!looks[i].boundary || !looks[i].statistic) continue;
    CHECK((*looks[i].statistic >= *looks[i].boundary) == (looks[i].state != SequentialState::go_on));
  }
}

TEST_CASE("a path of bets stops where the rule itself stops") {
  // Differences of the simulation, in units of the range's width, through `watch`.
  Design design = design_of("betting", 300);
  design.range = std::pair{0.0, 1.0};
  const double effect = quantile(0.7);
  double pairs = 0.0, better = 0.0;
  for (std::uint64_t s = 0; s < 50; ++s) {
    std::vector<double> differences;
    Stream draws(3, s);
    for (int i = 0; i < 300; ++i) differences.push_back(std::clamp(0.25 * (normal(draws.next()) + effect), -1.0, 1.0));
    const auto steps = watch("betting", differences, {.horizon = 300, .low = -1.0, .high = 1.0, .intervals = false});
    pairs += static_cast<double>(steps.size());
    better += steps.back().status == Status::better ? 1.0 : 0.0;
  }
  const auto simulated = simulated_operating(design, 0.7, 3, 50, 0.25);
  REQUIRE(simulated);
  CHECK(simulated->mean.pairs == pairs / 50.0);
  CHECK(simulated->mean.better == better / 50.0);
  CHECK_THROWS_AS(simulated_operating(design, 0.7, 3, 50, 1.5), InvalidInput);
}

TEST_CASE("a design of family group_permutation is its test on the differences in the order of the plan") {
  const std::string outcomes = "wlwwlwwwlwwwwwlwwwww";
  Design design = design_of("group_permutation", 20);
  design.looks = {5, 10, 20};
  design.key.reset();
  CHECK_THROWS_AS(judge(scores_of(outcomes), design), InvalidInput);
  design.key = 11;
  const auto verdict = judge(scores_of(outcomes), design);
  std::vector<double> candidate, baseline;
  for (const auto& score : scores_of(outcomes).candidate) candidate.push_back(*score - 80.0), baseline.push_back(0.0);
  const auto looks =
      group_permutation(candidate, baseline, {.looks = design.looks, .exchange = Exchange::pairs, .key = 11});
  REQUIRE(verdict.sequential);
  const auto& watched = verdict.sequential->looks;
  REQUIRE(watched.size() == 20);
  CHECK(watched[4].statistic == looks[0].statistic);
  CHECK(watched[9].boundary == looks[1].boundary);
  CHECK_FALSE(looks[2].exact);
  CHECK(watched[19].boundary == looks[2].boundary);
  CHECK_FALSE(watched[14].statistic);
  CHECK((verdict.status == Status::better) == looks[2].crossed);
  Design certain = design_of("group_permutation", 20);
  CHECK(judge(scores_of(wins(20)), certain).status == Status::better);
  CHECK(judge(scores_of(std::string(20, 'l')), certain).sequential->at_n == 8);
}

TEST_CASE("group permutation is planned close to what the rule itself does") {
  // The rule on the same law of scores, 1,500 runs: three standard errors of the difference of two shares are .03. Four
  // pairs have too few permutations to stop at, and the blocks are unequal.
  Design design = design_of("group_permutation", 40);
  design.looks = {4, 10, 20, 40};
  for (const double p : {0.5, 0.75}) {
    const double effect = quantile(p);
    double decided = 0.0, pairs = 0.0;
    for (std::uint64_t s = 0; s < 1'500; ++s) {
      std::vector<double> differences;
      Stream draws(derive(8, s));
      for (int i = 0; i < 40; ++i) differences.push_back(normal(draws.next()) + effect);
      const auto steps =
          watch("group_permutation", differences, {.horizon = 40, .looks = design.looks, .draws = 1'000, .key = s});
      decided += steps.back().status != Status::inconclusive ? 1.0 : 0.0;
      pairs += static_cast<double>(steps.size());
    }
    const auto planned = simulated_operating(design, p, 5);
    REQUIRE(planned);
    INFO("p " << p << ": rule " << decided / 1'500 << ", " << pairs / 1'500 << " pairs; planned "
              << planned->mean.pairs);
    CHECK_THAT(planned->mean.better + planned->mean.against, WithinAbs(decided / 1'500.0, 0.03));
    CHECK_THAT(planned->mean.pairs, WithinRel(pairs / 1'500.0, 0.05));
  }
}

TEST_CASE("dual_e with a band says EQUIVALENT when the share is shown to lie within it") {
  // Forward sums in Python with the evidence in rational arithmetic: band .3 to .7, at most 80 pairs.
  Design design = design_of("dual_e", 80);
  design.band = std::pair{0.3, 0.7};
  const auto plan = sign_plan_of(design);
  REQUIRE(plan);
  const auto half = operating(*plan, 0.5), gamma = operating(*plan, 0.75);
  CHECK_THAT(half.better, WithinAbs(0.0277639821, 1e-9));
  CHECK_THAT(half.equivalent, WithinAbs(0.6469286, 1e-9));
  CHECK_THAT(half.against, WithinAbs(0.2899011791, 1e-9));
  CHECK_THAT(half.undecided, WithinAbs(0.0354062388, 1e-9));
  CHECK_THAT(half.pairs, WithinAbs(66.05612224, 1e-7));
  CHECK_THAT(gamma.equivalent, WithinAbs(0.000177111, 1e-9));
  CHECK_THAT(gamma.pairs, WithinAbs(27.35832559, 1e-7));
  CHECK(plan->equal_from[80] == 37);
  CHECK(plan->equal_to[80] == 43);
  CHECK(plan->equal_from[40] > plan->equal_to[40]);
  std::string even;
  for (int i = 0; i < 40; ++i) even += "wl";
  const auto v = judge(scores_of(even), design);
  CHECK(v.status == Status::equivalent);
  CHECK(v.sequential->at_n == 52);
  CHECK_THAT(sentence(v),
             has_text("EQUIVALENT to scratch. If the true win rate were at an end of the band 0.3 to 0.7"));
  CHECK(judge(scores_of(wins(9)), design).sequential->at_n == 7);
  const auto lost = judge(scores_of(std::string(20, 'l')), design);
  CHECK(lost.status == Status::not_meaningful);
  CHECK(lost.sequential->at_n == 13);
  CHECK_THROWS_AS(watch("sprt", {}, {.horizon = 10, .band = std::pair{0.4, 0.6}}), InvalidInput);
}

}  // namespace retrial::tests::sequential_verdict_tests
