// Scores that are only bounds. What a pair decides is arithmetic on intervals: at least 90 is [90, inf).
#include "variance/verdict/decided_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "variance/verdict/complete_pairs.hpp"
#include "variance/verdict/pair_outcomes.hpp"

namespace retrial::tests::decided_scores_tests {

using namespace retrial::variance;
using enum ScoreBound;

namespace {

/// Ten pairs like the one given, on a metric where higher is better.
PairedScores ten(const BoundedScore& candidate, const BoundedScore& baseline) {
  PairedScores out{.direction = Direction::higher};
  for (int i = 0; i < 10; ++i) {
    out.candidate.emplace_back(candidate.value);
    out.baseline.emplace_back(baseline.value);
    out.candidate_bounds.push_back(candidate.bound);
    out.baseline_bounds.push_back(baseline.bound);
  }
  return out;
}

Design design_of(const std::string& test = "pab_exact") {
  Design out{.candidate = "ft", .baseline = "wt", .metric = "potential", .pairs = 10};
  out.test = test;
  return out;
}

PairOutcome outcome_of(const BoundedScore& candidate, const BoundedScore& baseline) {
  return pair_outcomes(ten(candidate, baseline), design_of()).front();
}

}  // namespace

TEST_CASE("a bound decides a pair where every score that it stands for gives the same order", "[bounds]") {
  using enum PairOutcome;
  CHECK(outcome_of({90, at_least}, {70, exact}) == win);
  CHECK(outcome_of({70, exact}, {90, at_least}) == loss);
  CHECK(outcome_of({90, at_least}, {70, at_most}) == win);
  CHECK(outcome_of({5, at_most}, {20, exact}) == loss);
  CHECK(outcome_of({20, exact}, {5, at_most}) == win);
}

TEST_CASE("a pair that a bound leaves open is a tie, never a win", "[bounds]") {
  const std::vector<std::pair<BoundedScore, BoundedScore>> open{
      {{90, at_least}, {90, at_least}}, {{90, at_least}, {66, at_least}}, {{66, at_least}, {90, exact}},
      {{90, at_least}, {90, exact}},    {{5, at_most}, {3, at_most}},     {{20, at_most}, {5, exact}},
      {{66, at_least}, {90, at_most}}};
  for (const auto& [a, b] : open) {
    CAPTURE(a.value, b.value);
    CHECK(outcome_of(a, b) == PairOutcome::tie);
    CHECK(outcome_of(b, a) == PairOutcome::tie);
    CHECK(complete_pairs(ten(a, b)).difference.front() == 0);
    const auto once = decided_scores(ten(a, b));
    CHECK(decided_scores(once).candidate == once.candidate);
  }
}

TEST_CASE("scores that are exact, missing or not finite are left as they are", "[bounds]") {
  PairedScores scores = ten({3, exact}, {2, exact});
  scores.candidate[1] = std::nullopt;
  scores.baseline[2] = std::numeric_limits<double>::infinity();
  scores.candidate_bounds[2] = at_least;
  const auto decided = decided_scores(scores);
  CHECK(decided.candidate == scores.candidate);
  CHECK(decided.baseline == scores.baseline);
  CHECK_FALSE(levels_bounds(scores));
}

TEST_CASE("two variants that reach the end of the grid in every pair are not told apart by any rule", "[bounds]") {
  const auto scores = ten({90, at_least}, {66, at_least});
  for (const char* test : {"pab_exact", "paired_t", "sign", "wilcoxon", "paired_permutation"}) {
    const Verdict verdict = judge(scores, design_of(test));
    CAPTURE(test);
    CHECK(verdict.status != Status::better);
    CHECK(verdict.status != Status::worse);
    CHECK(verdict.open_pairs == 10);
    CHECK(verdict.candidate.at_least == 10);
    CHECK_FALSE(verdict.unpaired);  // 90 and 66 of different pairs are no more comparable than those of one
  }
  CHECK(judge(scores, design_of("mann_whitney")).reason == InvalidReason::ties);
}

TEST_CASE("a test of unpaired runs refuses bounds at different values", "[bounds]") {
  PairedScores scores = ten({90, at_least}, {66, exact});
  CHECK(judge(scores, design_of("mann_whitney")).status == Status::better);
  for (std::size_t pair = 0; pair < 3; ++pair) scores.baseline_bounds[pair] = at_least;
  const Verdict verdict = judge(scores, design_of("mann_whitney"));
  CHECK(verdict.status == Status::invalid);
  CHECK(verdict.reason == InvalidReason::design_mismatch);
}

TEST_CASE("the sentence and the warnings name scores that are bounds", "[bounds]") {
  const Verdict verdict = judge(ten({90, at_least}, {90, at_least}), design_of());
  CHECK(verdict.reason == InvalidReason::ties);
  CHECK_THAT(sentence(verdict), has_text("10 of 10 pairs tied (a score is only a bound in 10)"));
  CHECK(std::ranges::any_of(verdict.warnings, [](const std::string& text) {
    return text.starts_with("10 of 10 scores of ft are bounds (at least)");
  }));
  CHECK(undecided_text(verdict) == "10 tied at bounds");
  const Verdict won = judge(ten({90, at_least}, {70, exact}), design_of());
  CHECK(won.status == Status::better);
  CHECK(won.open_pairs == 0);
}

TEST_CASE("a sequential design takes a pair that a bound leaves open for a tie", "[bounds]") {
  Design design = design_of();
  design.family = "sprt";
  design.gamma = .9;
  CHECK(judge(ten({90, at_least}, {70, exact}), design).status == Status::better);
  CHECK(judge(ten({90, at_least}, {66, at_least}), design).status != Status::better);
}

TEST_CASE("intervals end where the scores do", "[bounds]") {
  const Estimate cut = cut_to({.point = 27, .low = -89, .high = 143, .level = .95}, 0, 100);
  CHECK(cut.low == 0.0);
  CHECK(cut.high == 100.0);
  CHECK(cut.point == 27);
  CHECK_FALSE(cut_to({.point = 27}, 0, 100).low);
  PairedScores scores{.candidate = {0.0, 100.0}, .baseline = {100.0, 0.0}, .direction = Direction::higher};
  Design two = design_of();
  two.pairs = 2;
  CHECK(*judge(scores, two).difference->mean.high > 100);  // Student's interval of -100 and 100
  scores.range = {0, 100};
  CHECK(judge(scores, two).difference->mean.high == 100.0);
  CHECK(judge(scores, two).difference->mean.low == -100.0);
}

TEST_CASE("the floor of a share of repeated items is that of the items that tell as much", "[bounds]") {
  PairedScores scores{.candidate = {90.0, 91.0}, .baseline = {90.0, 90.5}, .direction = Direction::higher};
  scores.scores_in_percent = true;
  scores.test_items = 797;
  Design two = design_of();
  two.pairs = 2;
  const double plain = *judge(scores, two).candidate.binomial_floor;
  scores.effective_items = 449;
  // sqrt(p (1 - p) / n): the ratio of two floors is the root of the ratio of their n.
  CHECK_THAT(*judge(scores, two).candidate.binomial_floor / plain, WithinRel(std::sqrt(797.0 / 449.0), 1e-12));
}

}  // namespace retrial::tests::decided_scores_tests
