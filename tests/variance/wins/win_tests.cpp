#include "variance/wins/win.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::win_tests {

using namespace retrial::variance;

namespace {

const std::vector<double> a{.81, .83, .80, .86, .84}, b{.80, .82, .79, .81, .83};

void check_bounds(const Estimate& estimate, double low, double high) {
  CHECK_THAT(estimate.low.value(), WithinAbs(low, 1e-9));
  CHECK_THAT(estimate.high.value(), WithinAbs(high, 1e-9));
}

std::vector<double> normals(std::uint64_t key, std::size_t count) {
  std::vector<double> values(count);
  Stream stream(key);
  for (double& value : values) value = normal(stream.next());
  return values;
}

}  // namespace

TEST_CASE("wins, ties and losses are counted with the tolerance of decimal data") {
  CHECK(paired_win(a, b) == PairedWin{.wins = 5});
  // .3 - .2 and .2 - .1 differ by rounding noise only: still ties.
  CHECK(paired_win(std::vector{.1 + .2, .7}, std::vector{.3, .6}) == PairedWin{.wins = 1, .ties = 1});
  CHECK(paired_win(std::vector{90.1, 90.0}, std::vector{90.0, 90.1}) == PairedWin{.wins = 1, .losses = 1});
}

TEST_CASE("a declared resolution makes scores within half a step a tie") {
  const double step = 100.0 / 277;
  CHECK(paired_win(std::vector{70.0, 70.0 + step, 70.0 + .4 * step}, std::vector{70.0, 70.0, 70.0}, step) ==
        PairedWin{.wins = 1, .ties = 2});
  CHECK(paired_win(std::vector{1.5, 1.75}, std::vector{1.0, 1.0}, 1.0) == PairedWin{.wins = 1, .ties = 1});
  CHECK(refused_field([&] { (void)paired_win(a, b, 0.0); }) == "resolution");
}

TEST_CASE("the share counts a tie one half") {
  const PairedWin counts{.wins = 20, .ties = 4, .losses = 5};
  CHECK_THAT(counts.share(), WithinAbs(.7586206897, 1e-10));
  CHECK(counts.pairs() == 29);
  CHECK(counts.untied() == 25);
  CHECK(PairedWin{}.share() == .5);
  CHECK(PairedWin{}.tie_share() == 0.0);
}

TEST_CASE("scores that are not finite and lists of unequal length are refused") {
  CHECK(refused_field([] { (void)paired_win(std::vector{1.0, HUGE_VAL}, std::vector{1.0, 2.0}); }) == "candidate[1]");
  CHECK(refused_field([] { (void)paired_win(std::vector{1.0}, std::vector{1.0, 2.0}); }) == "baseline");
}

TEST_CASE("without ties the interval is the method's own") {
  const PairedWin counts{.wins = 20, .losses = 9};
  check_bounds(win_interval(counts), .4916766462, .8471540604);
  CHECK(win_interval(counts).method == "clopper_pearson");
  check_bounds(win_interval(counts, .05, WinMethod::wilson), .5076986577, .8272438326);
  check_bounds(win_interval(counts, .05, WinMethod::percentile), .5172413793, .8620689655);
  check_bounds(win_interval({.wins = 22, .losses = 7}, .05, WinMethod::mid_p), .5799058122, .8878404895);
}

TEST_CASE("nothing but ties has a share of one half and no interval") {
  const auto estimate = win_interval({.ties = 7});
  CHECK(estimate.point == .5);
  CHECK_FALSE(estimate.low);
  CHECK_FALSE(estimate.high);
}

TEST_CASE("the exact bootstrap law with ties has its reference values") {
  // Exact convolution by two programs written apart from this one.
  const auto some = bootstrap_win_exact({.wins = 20, .ties = 4, .losses = 5});
  CHECK_THAT(some.point, WithinAbs(.7586206897, 1e-10));
  check_bounds(some, .6034482759, .8965517241);
  const auto many = bootstrap_win_exact({.wins = 15, .ties = 10, .losses = 4});
  CHECK_THAT(many.point, WithinAbs(.6896551724, 1e-10));
  check_bounds(many, .5517241379, .8103448276);
  check_bounds(win_interval({.wins = 20, .ties = 4, .losses = 5}, .05, WinMethod::bootstrap_exact), .6034482759,
               .8965517241);
}

TEST_CASE("the exact bootstrap law is the limit of resampling pairs") {
  std::vector<double> shares;  // of 20 wins, 4 ties and 5 losses
  const std::uint64_t key = derive(derive(42, "comparison:A|B"), "bootstrap");
  for (std::uint64_t r = 0; r < 20000; ++r) {
    Stream stream(key, r);
    int score = 0;
    for (int i = 0; i < 29; ++i) {
      const auto pair = bounded(stream.next(), 29);
      score += pair < 20 ? 2 : pair < 24 ? 1 : 0;
    }
    shares.push_back(score / 58.0);
  }
  std::sort(shares.begin(), shares.end());
  CHECK_THAT(shares[500], WithinAbs(.6034482759, 1.0 / 58 + 1e-9));
  CHECK_THAT(shares[19499], WithinAbs(.8965517241, 1.0 / 58 + 1e-9));
}

TEST_CASE("unpaired theta has its reference values") {
  // Mid-ranks and placements by two programs written apart from this one.
  const auto theta = unpaired_theta(a, b);
  CHECK_THAT(theta.theta, WithinAbs(.74, 1e-12));
  CHECK(theta.ties == 3);
  CHECK_THAT(theta.s10.value(), WithinAbs(.103, 1e-12));
  CHECK_THAT(theta.s01.value(), WithinAbs(.043, 1e-12));
  CHECK_THAT(theta.se.value(), WithinAbs(.1708800749, 1e-10));
  check_bounds(theta.wald, .4050812075, 1.0749187925);
  check_bounds(theta.interval, .3329720027, .9419534575);
  CHECK(theta.interval.method == "logit");
  CHECK(paired_win(a, b).share() == 1.0);
}

TEST_CASE("paired DeLong adds the covariance of the placements") {
  const auto place = placements(a, b);
  const std::vector<double> v10{.5, .9, .3, 1, 1}, v01{.9, .6, 1, .7, .5};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK_THAT(place.candidate[i], WithinAbs(v10[i], 1e-12));
    CHECK_THAT(place.baseline[i], WithinAbs(v01[i], 1e-12));
  }
  const auto paired = delong(a, b);
  CHECK_THAT(paired.covariance.value(), WithinAbs(-.062, 1e-12));
  CHECK_THAT(paired.se.value(), WithinAbs(.0663324958, 1e-10));
  CHECK(*paired.se < *unpaired_theta(a, b).se);  // shared seeds narrow; a minus sign would widen
  CHECK_FALSE(delong(std::vector{1.0}, std::vector{2.0}).se);
}

TEST_CASE("the paired standard error is that of repeated experiments") {
  // 40 pairs with correlation .8 and equal means: simulation of the specification, true SD .0317, formula .0331 on
  // average, .0623 without the covariance.
  double sum = 0, squares = 0, mean_se = 0;
  constexpr int experiments = 2000;
  for (std::uint64_t e = 0; e < experiments; ++e) {
    const auto shared = normals(derive(derive(3, "shared"), e), 40);
    auto first = normals(derive(derive(3, "first"), e), 40), second = normals(derive(derive(3, "second"), e), 40);
    for (std::size_t i = 0; i < 40; ++i) {
      first[i] = std::sqrt(.8) * shared[i] + std::sqrt(.2) * first[i];
      second[i] = std::sqrt(.8) * shared[i] + std::sqrt(.2) * second[i];
    }
    const auto theta = delong(first, second);
    sum += theta.theta, squares += theta.theta * theta.theta, mean_se += *theta.se;
  }
  const double sd = std::sqrt(squares / experiments - sum * sum / experiments / experiments);
  CHECK_THAT(sd, WithinAbs(.0317, .0015));
  CHECK_THAT(mean_se / experiments, WithinAbs(.0331, .0015));
}

TEST_CASE("complete separation has a one-sided bound") {
  CHECK_THAT(separation_bound(3, 3), WithinRel(.2924017738, 1e-9));
  CHECK_THAT(separation_bound(5, 5), WithinRel(.4781762499, 1e-9));
  CHECK_THAT(separation_bound(10, 10), WithinRel(.6915028922, 1e-9));
  CHECK(separation_bound(3, 10) == separation_bound(3, 3));  // only three disjoint pairs
  const std::vector<double> high{4, 5, 6}, low{1, 2, 3};
  check_bounds(unpaired_theta(high, low).interval, .2924017738, 1);
  check_bounds(unpaired_theta(low, high).interval, 0, 1 - .2924017738);
  CHECK(unpaired_theta(high, low).interval.method == "complete separation");
}

TEST_CASE("neighbors within half a step are tied, and ties chain") {
  // Steps of 1: 0, .5 and 1 form one group though 0 and 1 are a step apart; 1.75 is alone.
  const auto place = placements(std::vector{0.0, 1.75}, std::vector{.5, 1.0}, 1.0);
  CHECK(place.candidate == std::vector{.5, 1.0});
  CHECK(place.ties == 2);
}

TEST_CASE("without spread to measure theta has no interval") {
  CHECK_FALSE(unpaired_theta(std::vector{1.0, 1.0}, std::vector{1.0, 1.0}).interval.low);
  const auto one = unpaired_theta(std::vector{2.0}, std::vector{1.0, 3.0});
  CHECK(one.theta == .5);
  CHECK_FALSE(one.se);
  CHECK_FALSE(one.interval.low);
  CHECK(refused_field([] { (void)unpaired_theta({}, std::vector{1.0}); }) == "candidate runs");
}

TEST_CASE("theta of exchanged samples is one minus theta, and their order does not matter") {
  auto first = normals(5, 23), second = normals(6, 17);
  const auto one = unpaired_theta(first, second), other = unpaired_theta(second, first);
  CHECK_THAT(one.theta + other.theta, WithinAbs(1, 1e-15));
  CHECK_THAT(*one.interval.low, WithinAbs(1 - *other.interval.high, 1e-12));
  std::reverse(first.begin(), first.end());
  CHECK(unpaired_theta(first, second).theta == one.theta);
}

TEST_CASE("gamma moves from unpaired to paired") {
  CHECK_THAT(paired_gamma(.75, .756), WithinRel(.9139464619, 1e-9));
  CHECK_THAT(paired_gamma(.75, 0.0), WithinRel(.75, 1e-12));
}

}  // namespace retrial::tests::win_tests
