#include "variance/audit/score_models.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::tests::score_models_tests {

using namespace retrial::variance;

namespace {

constexpr std::size_t many = 20'000;

ScorePairs drawn(const PairModel& model, std::size_t pairs = many, std::uint64_t index = 0) {
  ScorePairs scores;
  PairSource(model).draw(Stream(derive(42, "score models"), index), pairs, scores);
  return scores;
}

double share_below(const std::vector<double>& values, double bound) {
  return static_cast<double>(std::ranges::count_if(values, [&](double x) { return x <= bound; })) /
         static_cast<double>(values.size());
}

double win_share(const ScorePairs& s, double tie) {
  double won = 0.0;
  for (std::size_t i = 0; i < s.candidate.size(); ++i) {
    const double d = s.candidate[i] - s.baseline[i];
    won += d > tie ? 1.0 : d >= -tie ? 0.5 : 0.0;
  }
  return won / static_cast<double>(s.candidate.size());
}

double correlation(const ScorePairs& s) {
  const double a = *mean(s.candidate), b = *mean(s.baseline);
  double product = 0.0;
  for (std::size_t i = 0; i < s.candidate.size(); ++i) product += (s.candidate[i] - a) * (s.baseline[i] - b);
  return product / static_cast<double>(s.candidate.size() - 1) / (*sd(s.candidate) * *sd(s.baseline));
}

}  // namespace

TEST_CASE("scores of every model have mean 0 and standard deviation 1") {
  for (const auto& row : all_score_models()) {
    CAPTURE(row.name);
    const auto scores = drawn({.model = row.model});
    CHECK_THAT(*mean(scores.baseline), WithinAbs(0.0, 4.0 / std::sqrt(double(many))));
    // The fourth moment of t3 is infinite: no tolerance holds for its standard deviation.
    if (row.model != ScoreModel::t3) CHECK_THAT(*sd(scores.baseline), WithinAbs(1.0, .06));
  }
}

TEST_CASE("scores follow the laws they are named after") {
  // Quantiles from tables of Student's t (3 df: 1.6377 at .90), of the normal and so of its exponential
  // (.95: 1.644854); P(Bin(872, .95) <= 820) by summation in exact arithmetic (fractions of Python).
  const double se = 4.0 * std::sqrt(.25 / double(many));
  CHECK_THAT(share_below(drawn({.model = ScoreModel::t3}).baseline, 1.637744354 / std::sqrt(3.0)), WithinAbs(.90, se));
  const double skewed = (std::exp(1.644853627) - std::exp(.5)) / std::sqrt((std::exp(1.0) - 1.0) * std::exp(1.0));
  CHECK_THAT(share_below(drawn({.model = ScoreModel::lognormal}).baseline, skewed), WithinAbs(.95, se));
  // Between the modes of the bimodal model lies next to nothing: P(-.5 < 1.5 side + .5 z < .5) = P(z < -2) - P(z < -4).
  const auto bimodal = drawn({.model = ScoreModel::bimodal}).baseline;
  const double scale = std::sqrt(2.5);
  CHECK_THAT(share_below(bimodal, .5 / scale) - share_below(bimodal, -.5 / scale), WithinAbs(.0227185, se / 3));
  const double step = *PairSource({.model = ScoreModel::binomial}).resolution();
  CHECK_THAT(step, WithinAbs(1.0 / std::sqrt(872 * .95 * .05), 1e-12));
  const auto counts = drawn({.model = ScoreModel::binomial}).baseline;
  CHECK_THAT(share_below(counts, (820.5 - 872 * .95) * step), WithinAbs(0.1117144340, se));
}

TEST_CASE("binomial scores are counts of 872 and tie often") {
  const auto scores = drawn({.model = ScoreModel::binomial});
  const double step = *PairSource({.model = ScoreModel::binomial}).resolution();
  int ties = 0;
  for (std::size_t i = 0; i < many; ++i) {
    const double count = scores.candidate[i] / step + 872 * .95;
    REQUIRE_THAT(count, WithinAbs(std::round(count), 1e-9));
    ties += scores.candidate[i] == scores.baseline[i] ? 1 : 0;
  }
  // Two counts of standard deviation 6.436 are equal with probability 1 / (2 sqrt pi sd) = .0438.
  CHECK_THAT(ties / double(many), WithinAbs(.0438, .006));
}

TEST_CASE("the candidate wins the requested share of independent pairs") {
  const double se = std::sqrt(.25 / double(many));
  for (const auto& row : all_score_models())
    for (const double spread : {1.0, 2.0})
      for (const double win : {.5, .75, .9}) {
        CAPTURE(row.name, spread, win);
        const PairModel model{.model = row.model, .win = win, .spread = spread};
        const double tie = PairSource(model).resolution().value_or(0.0) / 2.0;
        CHECK_THAT(win_share(drawn(model), tie), WithinAbs(win, 4 * se));
        if (win == .5 && spread == 1.0) CHECK(PairSource(model).shift() == 0.0);
      }
  // Next to no advantage is next to no shift: ties count one half, neither more nor less.
  for (const auto& row : all_score_models())
    CHECK_THAT(PairSource({.model = row.model, .win = .500001}).shift(), WithinAbs(0.0, 1e-5));
  // z_.75 sqrt 2, and the same with a baseline of twice the spread.
  CHECK_THAT(PairSource({.win = .75}).shift(), WithinAbs(.9538725524, 1e-10));
  CHECK_THAT(PairSource({.win = .75, .spread = 2.0}).shift(), WithinAbs(.6744897502 * std::sqrt(5.0), 1e-9));
}

TEST_CASE("skewed variants of equal mean and unequal spread do not win half of the pairs each: one is moved") {
  CHECK(std::fabs(PairSource({.model = ScoreModel::lognormal, .spread = 2.0}).shift()) > .1);
  CHECK_THAT(PairSource({.model = ScoreModel::bimodal, .spread = 2.0}).shift(), WithinAbs(0.0, 1e-9));
}

TEST_CASE("scores of a pair have the requested correlation, and the draws of each stay the same") {
  for (const auto& row : all_score_models()) {
    CAPTURE(row.name);
    for (const double r : {.5, .9}) {
      const double found = correlation(drawn({.model = row.model, .correlation = r}));
      CHECK_THAT(found, WithinAbs(r, row.model == ScoreModel::t3 || row.model == ScoreModel::lognormal ? .15 : .03));
    }
  }
  const auto apart = drawn({}), together = drawn({.correlation = .5});
  // x' = sqrt(.5) common + sqrt(.5) x: the differences of a pair keep their draws.
  for (std::size_t i = 0; i < 100; ++i)
    REQUIRE_THAT(together.candidate[i] - together.baseline[i],
                 WithinAbs(std::sqrt(.5) * (apart.candidate[i] - apart.baseline[i]), 1e-12));
}

TEST_CASE("runs of one search share its luck") {
  const PairModel model{.cluster_sd = 2.0, .clusters = 3};
  const auto plain = drawn({}, 9), shared = drawn(model, 9);
  for (std::size_t i = 0; i < 9; ++i) {
    const double luck = shared.candidate[i] - plain.candidate[i];
    CHECK_THAT(luck, WithinAbs(shared.candidate[i / 3 * 3] - plain.candidate[i / 3 * 3], 1e-12));
    CHECK(std::fabs(luck - (shared.baseline[i] - plain.baseline[i])) > 1e-6);  // each variant has its own
  }
  CHECK(shared.candidate[0] - plain.candidate[0] != shared.candidate[8] - plain.candidate[8]);
  // Over many lists the shift has the requested standard deviation.
  std::vector<double> lucks;
  for (std::uint64_t i = 0; i < 2000; ++i)
    lucks.push_back(drawn(model, 1, i).candidate[0] - drawn({}, 1, i).candidate[0]);
  CHECK_THAT(*sd(lucks), WithinAbs(2.0, .13));
  // Counts stay counts.
  const PairModel counts{.model = ScoreModel::binomial, .cluster_sd = 1.0};
  const double step = *PairSource(counts).resolution();
  for (const double x : drawn(counts, 50).candidate) {
    const double count = x / step + 872 * .95;
    CHECK_THAT(count, WithinAbs(std::round(count), 1e-9));
  }
}

TEST_CASE("an invalid model is refused by field") {
  CHECK(refused_field([] { PairSource({.win = 1.0}); }) == "win");
  CHECK(refused_field([] { PairSource({.win = std::nan("")}); }) == "win");
  CHECK(refused_field([] { PairSource({.spread = 3.0}); }) == "spread");
  CHECK(refused_field([] { PairSource({.correlation = 1.0}); }) == "correlation");
  CHECK(refused_field([] { PairSource({.cluster_sd = -1.0}); }) == "cluster_sd");
  CHECK(refused_field([] { PairSource({.clusters = 0}); }) == "clusters");
}

}  // namespace retrial::tests::score_models_tests
