#include "variance/verdict/answers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/catch.hpp"

namespace retrial::tests::answers_tests {

using namespace retrial::variance;

namespace {

Design design_of(std::int64_t pairs) {
  return {.candidate = "kd", .baseline = "scratch", .metric = "accuracy", .pairs = pairs};
}

/// Wins of `gain`, losses of `pain`, then ties. Higher is better.
PairedScores scores_of(int wins, int losses, int ties = 0, double gain = 1.0, double pain = 1.0) {
  PairedScores scores{.direction = Direction::higher};
  const auto add = [&](int count, double difference) {
    for (int i = 0; i < count; ++i) {
      scores.baseline.emplace_back(80.0);
      scores.candidate.emplace_back(80.0 + difference * (1.0 + 0.01 * i));
    }
  };
  add(wins, gain);
  add(losses, -pain);
  add(ties, 0.0);
  return scores;
}

/// P(Bin(n, 1/2) >= w) for n up to 60: Pascal's triangle in whole numbers.
double tail_by_pascal(int w, int n) {
  static const auto triangle = [] {
    std::vector<std::vector<std::uint64_t>> rows{{1}};
    while (rows.size() <= 60) {
      std::vector<std::uint64_t> row(rows.size() + 1, 1);
      for (std::size_t k = 1; k + 1 < row.size(); ++k) row[k] = rows.back()[k - 1] + rows.back()[k];
      rows.push_back(std::move(row));
    }
    return rows;
  }();
  const auto& row = triangle[static_cast<std::size_t>(n)];
  return std::ldexp(static_cast<double>(std::accumulate(row.begin() + w, row.end(), std::uint64_t{0})), -n);
}

Verdict judged_with(int wins, int losses, std::optional<double> gamma) {
  Design design = design_of(wins + losses);
  design.gamma = gamma;
  return judge(scores_of(wins, losses), design);
}

bool warns(const Verdict& verdict, const std::string& part) {
  return std::ranges::any_of(verdict.warnings, [&](const auto& text) { return text.find(part) != std::string::npos; });
}

/// Everything that a page prints of the sign test, against Pascal's triangle.
void check_sign_test(int wins, int losses, int ties, double alpha, Sides sides) {
  Design design = design_of(wins + losses + ties);
  design.alpha = alpha;
  design.sides = sides;
  const auto verdict = judge(scores_of(wins, losses, ties), design);
  CAPTURE(alpha, sides == Sides::two, wins, losses, ties);
  const double both = sides == Sides::two ? 2.0 : 1.0;
  const int n = wins + losses;
  const double p = std::min(1.0, both * tail_by_pascal(std::max(wins, losses), n));
  const auto answers = answers_of(verdict);
  REQUIRE(answers);
  REQUIRE_THAT(*answers->real.p, WithinRel(p, 1e-11));
  REQUIRE(answers->real.shown == (p <= alpha));
  REQUIRE(answers->real.shown == (*answers->real.p <= alpha));
  REQUIRE(answers->large.empty());
  REQUIRE(verdict.status == (p > alpha ? Status::inconclusive : wins > losses ? Status::better : Status::worse));
  if (wins != losses) REQUIRE((answers->real.direction == Status::better) == (wins > losses));
  // The false-positive rate is the attainable level: the tail at the least number of wins that is BETTER.
  double attained = 0.0;
  for (int w = n; w >= 0 && both * tail_by_pascal(w, n) <= alpha; --w) attained = tail_by_pascal(w, n);
  REQUIRE_THAT(verdict.false_positive_rate(), WithinRel(attained, 1e-11));
}

}  // namespace

TEST_CASE("without a gamma the printed p, its level and the verdict agree for every count up to 40 pairs") {
  for (int pairs = 1; pairs <= 40; ++pairs)
    for (int ties = 0; 2 * ties <= pairs; ++ties)
      for (int wins = 0; wins <= pairs - ties; ++wins)
        check_sign_test(wins, pairs - ties - wins, ties, .05, Sides::one);
  // 1 / 32: five wins of five have exactly that p.
  for (const double alpha : {.01, 1.0 / 32})
    for (int n = 1; n <= 12; ++n)
      for (int wins = 0; wins <= n; ++wins)
        for (const Sides sides : {Sides::one, Sides::two}) check_sign_test(wins, n - wins, 0, alpha, sides);
}

TEST_CASE("a large sample below gamma is real and not large enough, where gamma was declared") {
  const auto declared = judged_with(193, 107, .75), open = judged_with(193, 107, {});
  CHECK(declared.status == Status::not_meaningful);
  CHECK(open.status == Status::better);
  const auto answers = answers_of(declared).value();
  CHECK(answers.real.shown);
  CHECK(answers.real.direction == Status::better);
  CHECK_THAT(*answers.real.p, WithinRel(3.908212e-07, 1e-6));  // sum of binomial coefficients in whole numbers
  REQUIRE(answers.large.size() == 1);
  CHECK(answers.large[0].bound == Bound::gamma);
  CHECK(answers.large[0].answer == Answer::no);
  CHECK(*answers.large[0].p_no < .05);
  CHECK(answers_of(open)->real.p == answers.real.p);
  CHECK(answers_of(open)->large.empty());
}

TEST_CASE("as large as gamma is yes, no or undecided, about the variant that was shown to be better") {
  // P(Bin(20, .75) >= 19) = .0243, P(>= 18) = .0913; P(<= 11) = .0409, P(<= 12) = .1018 (tables of the binomial law).
  const auto answer = [](int wins, int losses) {
    return answers_of(judged_with(wins, losses, .75))->large.at(0).answer;
  };
  CHECK(answer(19, 1) == Answer::yes);
  CHECK(answer(18, 2) == Answer::undecided);
  CHECK(answer(12, 8) == Answer::undecided);
  CHECK(answer(11, 9) == Answer::no);
  CHECK(answer(1, 19) == Answer::yes);
  CHECK(judged_with(1, 19, .75).status == Status::worse);
  CHECK(answer(8, 12) == Answer::no);
  CHECK(judged_with(8, 12, .75).status == Status::not_meaningful);
}

TEST_CASE("a margin and a band have answers of their own") {
  Design design = design_of(20);
  design.margin = 3.0;
  const auto margin_answer = [&](const PairedScores& scores) {
    const auto verdict = judge(scores, design);
    return std::pair(verdict.status, answers_of(verdict)->large.at(0).answer);
  };
  CHECK(margin_answer(scores_of(10, 10)) == std::pair(Status::equivalent, Answer::no));
  CHECK(margin_answer(scores_of(20, 0)) == std::pair(Status::better, Answer::no));
  CHECK(margin_answer(scores_of(20, 0, 0, 9.0)) == std::pair(Status::better, Answer::yes));
  CHECK(margin_answer(scores_of(10, 10, 0, 9.0, 9.0)) == std::pair(Status::inconclusive, Answer::undecided));
  Design band = design_of(400);
  band.band = std::pair(.4, .6);
  const auto within = judge(scores_of(205, 195), band), beyond = judge(scores_of(290, 110), band);
  CHECK(within.status == Status::equivalent);
  CHECK(answers_of(within)->large.at(0).answer == Answer::no);
  CHECK(answers_of(beyond)->large.at(0).answer == Answer::yes);
}

TEST_CASE("an INVALID verdict answers nothing, and a test of equivalence asks only one of the two") {
  Design design = design_of(20);
  CHECK_FALSE(answers_of(judge(scores_of(9, 10), design)));
  design.test = "tost";
  design.margin = 3.0;
  const auto answers = answers_of(judge(scores_of(10, 10), design)).value();
  CHECK_FALSE(answers.real.asked);
  CHECK(answers.large.at(0).answer == Answer::no);
}

TEST_CASE("families answer at the level of their rule") {
  for (const std::string family : {"dual_e", "mixture_e", "sprt", "curtailed", "t_anytime"})
    for (const int wins : {0, 15, 30}) {
      Design design = design_of(30);
      design.family = family;
      if (family == "dual_e" || family == "sprt") design.gamma = .75;
      if (family == "t_anytime") design.sides = Sides::two;
      const auto verdict = judge(scores_of(wins, 30 - wins), design);
      CAPTURE(family, wins, name_of(verdict.status));
      const auto answers = answers_of(verdict).value();
      const bool directed = verdict.status == Status::better || verdict.status == Status::worse;
      CHECK(answers.real.shown == directed);
      if (directed) CHECK(answers.real.direction == verdict.status);
      if (answers.real.p) CHECK((*answers.real.p <= design.alpha) == directed);
      CHECK(answers.large.empty() == !design.gamma);
      if (verdict.status == Status::not_meaningful) CHECK(answers.large.at(0).answer == Answer::no);
    }
}

TEST_CASE("without a gamma a curtailed design is the sign test in both directions") {
  Design design = design_of(42);
  design.family = "curtailed";
  // 27 of 42 is the least number with an exact tail of at most .05 (P = .0442), by the published table of the rule.
  CHECK(judge(scores_of(27, 0), design).status == Status::better);
  const auto worse = judge(scores_of(0, 27), design);
  CHECK(worse.status == Status::worse);
  CHECK(worse.sequential->at_n == 27);
  CHECK_THAT(worse.sequential->at_half->better, WithinRel(tail_by_pascal(27, 42), 1e-9));
  CHECK_THAT(worse.sequential->at_half->against, WithinRel(tail_by_pascal(27, 42), 1e-9));
  CHECK(judge(scores_of(21, 21), design).status == Status::inconclusive);
  CHECK_THAT(sentence(worse), has_text("this design would say WORSE in 4.42 % of studies"));
}

TEST_CASE("a t interval that points another way than the verdict is named, one that agrees is not") {
  const std::string line = "the t interval of the mean difference";
  const auto split = judge(scores_of(13, 7, 0, 4.0, 1.0), design_of(20));
  CHECK(split.status == Status::inconclusive);
  CHECK(warns(split, line));
  CHECK(warns(split, "excludes 0 in favor of kd, but no difference is shown: the declared rule counts the pairs won"));
  const auto few_large = judge(scores_of(17, 3, 0, 1.0, 9.0), design_of(20));
  CHECK(few_large.status == Status::better);
  CHECK(warns(few_large, "contains 0, although a difference is shown"));
  auto lower = scores_of(13, 7, 0, 1.0, 9.0);
  lower.direction = Direction::lower;
  CHECK(warns(judge(lower, design_of(20)), "in favor of kd"));
  CHECK_FALSE(warns(judge(scores_of(18, 2), design_of(20)), line));
  CHECK_FALSE(warns(judge(scores_of(10, 10), design_of(20)), line));
  CHECK_FALSE(warns(judged_with(193, 107, .75), line));  // real by both, only smaller than gamma
}

}  // namespace retrial::tests::answers_tests
