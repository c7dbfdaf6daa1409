// Intervals of the share of wins when pairs tie. Quantiles under the Dirichlet law: SciPy 1.17.1, integrate.quad of
// beta.pdf(tau; ties, rest) betainc((x - tau / 2) / (1 - tau)) and optimize.brentq, to 1e-11. Coverage: sums over all
// outcomes of the trinomial law.
#include "variance/wins/tied_share.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::tests::tied_share_tests {

using namespace retrial::variance;

namespace {

struct Outcome {
  PairedWin counts;
  double low = 0.0, high = 1.0;
};

/// The interval of every outcome of n pairs. One without an untied pair has no bounds, and excludes nothing.
std::vector<Outcome> outcomes_of(std::int64_t n) {
  std::vector<Outcome> out;
  for (std::int64_t wins = 0; wins <= n; ++wins)
    for (std::int64_t ties = 0; wins + ties <= n; ++ties) {
      const PairedWin counts{.wins = wins, .ties = ties, .losses = n - wins - ties};
      const Estimate interval = win_interval(counts);
      out.push_back({counts, interval.low.value_or(0.0), interval.high.value_or(1.0)});
    }
  return out;
}

double power(double p, std::int64_t k) {
  return k == 0 ? 0.0 : static_cast<double>(k) * std::log(p);
}

double probability(const PairedWin& c, double win, double tie) {
  const double loss = 1.0 - win - tie;
  if ((c.wins > 0 && win <= 0.0) || (c.ties > 0 && tie <= 0.0) || (c.losses > 0 && loss <= 1e-15)) return 0.0;
  const double ways =
      log_factorial(c.pairs()) - log_factorial(c.wins) - log_factorial(c.ties) - log_factorial(c.losses);
  return std::exp(ways + power(win, c.wins) + power(tie, c.ties) + power(loss, c.losses));
}

/// Probabilities that the interval lies above and below the truth.
struct Miss {
  double above = 0.0, below = 0.0;
};

Miss miss(const std::vector<Outcome>& outcomes, double win, double tie) {
  const double truth = win + tie / 2.0;
  Miss out;
  for (const auto& [counts, low, high] : outcomes) {
    if (low <= truth && truth <= high) continue;
    (low > truth ? out.above : out.below) += probability(counts, win, tie);
  }
  return out;
}

}  // namespace

TEST_CASE("the interval under ties has the quantiles of the Dirichlet law") {
  struct Row {
    PairedWin counts;
    double low, high, mid_low, mid_high;
  };
  const std::vector<Row> rows{
      {{.wins = 20, .ties = 8, .losses = 2}, .648443106113, .899305221542, .663950793534, .891557281409},
      {{.wins = 5, .ties = 1, .losses = 0}, .481746241999, .997894627743, .540741873560, .995789255486},
      {{.wins = 12, .ties = 8, .losses = 0}, .630755028028, .904404969637, .653052592310, .894953044127},
      {{.wins = 0, .ties = 3, .losses = 4}, .049494139221, .561346668938, .062706847531, .515687457037},
      {{.wins = 31, .ties = 20, .losses = 9}, .576007166685, .775025678932, .583543277355, .769202454587},
      {{.wins = 3, .ties = 9, .losses = 5}, .265334222458, .632445344604, .281918995965, .613261495745},
      {{.wins = 1, .ties = 1, .losses = 1}, .066820829244, .933179170756, .094299324050, .905700675950},
      {{.wins = 2, .ties = 5, .losses = 6}, .155018810653, .596782362956, .171675477042, .570761697437}};
  for (const auto& [counts, low, high, mid_low, mid_high] : rows) {
    CAPTURE(counts.wins, counts.ties, counts.losses);
    const auto exact = win_interval(counts), mid = win_interval(counts, .05, WinMethod::mid_p);
    CHECK_THAT(*exact.low, WithinAbs(low, 1e-10));
    CHECK_THAT(*exact.high, WithinAbs(high, 1e-10));
    CHECK_THAT(*mid.low, WithinAbs(mid_low, 1e-10));
    CHECK_THAT(*mid.high, WithinAbs(mid_high, 1e-10));
    CHECK(exact.point == counts.share());
    CHECK(exact.method == "clopper_pearson, trinomial");
    CHECK(mid.method == "mid_p, trinomial");
  }
}

TEST_CASE("Wilson's interval under ties has the variance of a score of 0, one half and 1") {
  // Roots of (share - p)^2 = z^2 (p (1 - p) - s / 4) / n by NumPy 2, numpy.roots.
  const auto some = win_interval({.wins = 20, .ties = 8, .losses = 2}, .05, WinMethod::wilson);
  CHECK_THAT(*some.low, WithinAbs(.657528919269, 1e-10));
  CHECK_THAT(*some.high, WithinAbs(.874363044827, 1e-10));
  const auto few = win_interval({.wins = 5, .ties = 1}, .05, WinMethod::wilson);
  CHECK_THAT(*few.low, WithinAbs(.554015351803, 1e-10));
  CHECK_THAT(*few.high, WithinAbs(.954039408278, 1e-10));
}

TEST_CASE("the interval under ties covers the truth at its level, wherever losses or wins are rare") {
  // Mapped from the untied pairs, it covered .63, .60, .83 at 20 pairs and .57, .53, .88 at 60.
  for (const std::int64_t n : {20, 60}) {
    const auto outcomes = outcomes_of(n);
    for (const auto& [win, tie] : {std::pair{.8, .2}, {.6, .4}, {.75, .2}, {.4, .2}, {.05, .2}, {.0, .4}, {.3, .4}}) {
      CAPTURE(n, win, tie);
      const Miss side = miss(outcomes, win, tie);
      CHECK(side.above <= .025);
      CHECK(side.below <= .025);
    }
    for (int w = 0; w <= 20; ++w)
      for (int t = 0; w + t <= 20; ++t) {
        const Miss side = miss(outcomes, w / 20.0, t / 20.0);
        CAPTURE(n, w, t);
        CHECK(std::max(side.above, side.below) <= .025 * (1.0 + 1e-9));
      }
  }
}

TEST_CASE(
    "just beside each of its own bounds, where it misses most, the interval keeps its level for any share of ties") {
  double worst = 0.0;
  for (const std::int64_t n : {1, 2, 3, 6, 9}) {
    const auto outcomes = outcomes_of(n);
    for (const auto& [counts, low, high] : outcomes) {
      const double truth = low * (1.0 - 1e-9);
      for (int i = 0; i <= 20 && low > 0.0; ++i) {
        const double tie = std::min(truth, 1.0 - truth) * i / 10.0;
        const Miss side = miss(outcomes, std::max(0.0, truth - tie / 2.0), tie);
        CHECK(side.above <= .025);
        worst = std::max(worst, side.above);
      }
    }
  }
  CHECK(worst > .0249);  // and it is not wider than that takes
}

TEST_CASE("exchanged variants have the mirrored interval, and the estimate lies inside") {
  for (const auto method : {WinMethod::clopper_pearson, WinMethod::mid_p, WinMethod::wilson})
    for (std::int64_t wins = 0; wins <= 7; ++wins)
      for (std::int64_t ties = 1; ties <= 7; ++ties)
        for (std::int64_t losses = wins == 0 ? 1 : 0; losses <= 7; ++losses) {
          const auto one = win_interval({.wins = wins, .ties = ties, .losses = losses}, .1, method),
                     other = win_interval({.wins = losses, .ties = ties, .losses = wins}, .1, method);
          CAPTURE(wins, ties, losses);
          CHECK_THAT(*one.low, WithinAbs(1.0 - *other.high, 1e-12));
          CHECK(*one.low < one.point);
          CHECK(*one.high > one.point);
        }
}

TEST_CASE("the exact interval narrows with more ties in place of wins and losses, and with more pairs") {
  const auto width = [](const PairedWin& counts) {
    const auto interval = win_interval(counts);
    return *interval.high - *interval.low;
  };
  CHECK(width({.wins = 10, .ties = 10, .losses = 10}) < width({.wins = 14, .ties = 2, .losses = 14}));
  // 60 % won and 40 % tied: sd sqrt(.06) for each pair, and the normal interval at 40,000 pairs.
  const double wide = width({.wins = 24'000, .ties = 16'000});
  CHECK_THAT(wide, WithinRel(2.0 * 1.959963984540054 * std::sqrt(.06 / 40'000), .01));
}

TEST_CASE("pairs without a tie, or with nothing else, are not asked about") {
  CHECK(refused_field([] { (void)tied_share_interval({.wins = 3}, .05, WinMethod::mid_p); }) == "ties");
  CHECK(refused_field([] { (void)tied_share_interval({.ties = 3}, .05, WinMethod::mid_p); }) == "untied pairs");
  CHECK(refused_field([] { (void)tied_share_interval({.wins = 3, .ties = 1}, .05, WinMethod::percentile); }) ==
        "method");
  CHECK(refused_field([] { (void)tied_share_interval({.wins = 3, .ties = 1}, .5, WinMethod::wilson); }) == "alpha");
}

}  // namespace retrial::tests::tied_share_tests
