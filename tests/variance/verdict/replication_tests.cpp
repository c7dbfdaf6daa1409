// References: sums over scipy.stats.betabinom (scipy 1.17.1) with an own table of the rule, and quantiles over 100,000
// draws from scipy.stats.beta, which leave about .005 of noise.
#include "variance/verdict/replication.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::replication_tests {

using namespace retrial::variance;

namespace {

Replication of(PairedWin counts, Status status, Design design = {}) {
  return replication_of_counts(counts, status, design);
}

const Design with_gamma{.gamma = .75};

/// n pairs whose difference is a normal number around `effect`.
PairedScores normal_pairs(std::uint64_t key, std::int64_t n, double effect) {
  PairedScores scores{.direction = Direction::higher};
  Stream draws(key);
  for (std::int64_t i = 0; i < n; ++i) {
    const double base = normal(draws.next());
    scores.baseline.emplace_back(base);
    scores.candidate.emplace_back(base + effect + normal(draws.next()));
  }
  return scores;
}

Design design_of(const PairedScores& scores, std::string test) {
  return {.candidate = "new",
          .baseline = "old",
          .metric = "score",
          .pairs = std::ssize(scores.candidate),
          .test = std::move(test),
          .key = 17};
}

std::optional<Replication> replicated(const PairedScores& scores, const Design& design) {
  return replication_of(judge(scores, design), scores);
}

}  // namespace

TEST_CASE("the probability of the same verdict is the Dirichlet-multinomial sum") {
  const auto check = [](const Replication& r, double point, double low, double high) {
    CHECK_THAT(r.probability.point, WithinAbs(point, 1e-9));
    CHECK_THAT(*r.probability.low, WithinAbs(low, .012));
    CHECK_THAT(*r.probability.high, WithinAbs(high, .012));
    CHECK(r.studies == 0);
  };
  check(of({.wins = 19, .losses = 1}, Status::better, with_gamma), .9761567390, .77143, 1.0);
  check(of({.wins = 15, .losses = 5}, Status::better, with_gamma), .5709249936, .04268, .98774);
  check(of({.wins = 13, .losses = 7}, Status::inconclusive), .6868428075, .11519, .95801);
  check(of({.wins = 4, .losses = 1}, Status::inconclusive, with_gamma), .6061662946, .10703, .83560);
  check(of({.wins = 14, .ties = 4, .losses = 2}, Status::better, with_gamma), .8335594716, .26470, .99971);
  // Nearly half of the pairs tie: above the limit of one half the new study is INVALID.
  check(of({.wins = 20, .ties = 20, .losses = 2}, Status::better), .6500813216, .08253, .99219);
}

TEST_CASE("a verdict at the edge of its rule is repeated about every second time") {
  // Goodman 1992: p close to alpha means about one half, not 95 %.
  const auto edge = of({.wins = 27, .losses = 15}, Status::better);
  CHECK(edge.probability.point > .4);
  CHECK(edge.probability.point < .6);
}

TEST_CASE("the probabilities of all verdicts sum to one") {
  for (const auto& counts : {PairedWin{.wins = 12, .losses = 8}, PairedWin{.wins = 9, .ties = 3, .losses = 8}}) {
    Design design = with_gamma;
    design.band = {{.3, .7}};
    design.alpha = .2;
    design.tie_limit = .99;
    double sum = 0.0;
    for (const Status status :
         {Status::better, Status::worse, Status::equivalent, Status::not_meaningful, Status::inconclusive})
      sum += of(counts, status, design).probability.point;
    CHECK_THAT(sum, WithinAbs(1.0, 1e-6));
  }
}

TEST_CASE("the interval covers the true probability at its level") {
  // Win shares drawn from the prior, Beta(1/2, 1/2): a credible interval of 95 % then covers exactly that often.
  std::int64_t covered = 0;
  constexpr std::int64_t studies = 400, pairs = 20;
  for (std::int64_t s = 0; s < studies; ++s) {
    Stream draws(2026, static_cast<std::uint64_t>(s));
    const double a = gamma_half(draws.next()), b = gamma_half(draws.next()), share = a / (a + b);
    PairedWin counts;
    for (std::int64_t i = 0; i < pairs; ++i) (uniform(draws.next()) < share ? counts.wins : counts.losses) += 1;
    const Status status = pab_exact(counts.wins, pairs, {.gamma = std::nullopt});
    const Estimate interval = of(counts, status).probability;
    const double better = binomial_at_least(15, pairs, share), worse = binomial_at_most(5, pairs, share);
    const double truth = status == Status::better ? better : status == Status::worse ? worse : 1.0 - better - worse;
    covered += truth >= *interval.low - 1e-12 && truth <= *interval.high + 1e-12 ? 1 : 0;
  }
  CHECK_THAT(static_cast<double>(covered) / studies, WithinAbs(.95, 3 * .011));
}

TEST_CASE("pairs drawn again agree with the counts where both apply") {
  const auto scores = normal_pairs(3, 20, .9);
  Design margin = design_of(scores, "pab_exact");
  const auto exact = replicated(scores, margin);
  margin.margin = 1e-6;  // never within it: the counts alone decide
  const auto drawn = replicated(scores, margin);
  REQUIRE(exact);
  REQUIRE(drawn);
  CHECK(drawn->studies == 10'000);
  // The prior of the Bayesian bootstrap has no half observation, so the two differ a little.
  CHECK_THAT(drawn->probability.point, WithinAbs(exact->probability.point, .05));
}

TEST_CASE("a test's verdict is repeated as often as its effect predicts") {
  // t of the differences known: the predictive probability of t' > t_crit for normal data is about
  // P(t_{n-1} > (t_crit - t) / sqrt(2)) (Shao and Chow 2002, 3, with the variance of the new mean added).
  const auto scores = normal_pairs(11, 40, .5);
  const Verdict v = judge(scores, design_of(scores, "paired_t"));
  const auto r = replication_of(v, scores);
  REQUIRE(r);
  REQUIRE(v.status == Status::better);
  const double t = *v.test->statistic, near = 1.0 - student_cdf((student_quantile(.95, 39) - t) / std::sqrt(2.0), 39);
  CHECK_THAT(r->probability.point, WithinAbs(near, .06));
  CHECK(*r->probability.low < r->probability.point);
  CHECK(*r->probability.high >= r->probability.point);
  CHECK(replication_of(v, scores)->probability.point == r->probability.point);  // the same key, the same draws
}

TEST_CASE("what has no verdict to repeat has no replication") {
  const auto scores = normal_pairs(1, 20, .5);
  Design design = design_of(scores, "pab_exact");
  design.pairs = 19;
  CHECK_FALSE(replicated(scores, design));  // INVALID (extended)
  design.pairs = 20;
  design.family = "mixture_e";
  CHECK_FALSE(replicated(scores, design));  // sequential
  design.family = "fixed";
  design.test = "paired_permutation";
  CHECK_THAT(replicated(scores, design)->why, has_text("draws or enumerates"));
  design.test = "paired_t";
  design.key = std::nullopt;
  CHECK_THAT(replicated(scores, design)->why, has_text("seed"));
  const std::vector<double> four{1, 2, 3, 4.5}, zero{0, 0, 0, 0};
  CHECK_THAT(
      replication_of_test("paired_t", four, zero, {.direction = Direction::higher, .key = 1}, Status::better).why,
      has_text("five"));
  const std::vector<double> many(120, 1.0), more(120, 2.0);
  CHECK_THAT(
      replication_of_test("mann_whitney", many, more, {.direction = Direction::higher, .key = 1}, Status::worse).why,
      has_text("too long"));
  CHECK(refused_field([&] {
          (void)replication_of_test("no_test", four, zero, {.direction = Direction::higher}, Status::better);
        }) == "test");
}

}  // namespace retrial::tests::replication_tests
