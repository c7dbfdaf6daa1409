#include "variance/sequential/confidence_sequences.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::confidence_sequences_tests {

// Values of confseq's own C++ tests (MIT), 1e-5, where a test says nothing else.

using namespace retrial::variance;

TEST_CASE("the one-sided normal mixture is that of confseq's tests") {
  const Mixture mixture{.kind = MixtureKind::normal_one_sided};
  CHECK_THAT(log_mixture(mixture, 10, 100), WithinAbs(-.06502391, 1e-7));
  CHECK_THAT(mixture_bound(mixture, 100, .05), WithinAbs(27.66071, 1e-5));
}

TEST_CASE("gamma mixtures are those of confseq's tests") {
  const Mixture exponential{.kind = MixtureKind::gamma_exponential, .c = 2};
  CHECK_THAT(log_mixture(exponential, 10, 100), WithinAbs(-.2490165, 1e-6));
  CHECK_THAT(mixture_bound(exponential, 100, .05), WithinAbs(33.02017, 1e-5));
  const Mixture poisson{.kind = MixtureKind::gamma_poisson, .c = 2};
  CHECK_THAT(log_mixture(poisson, 10, 100), WithinAbs(-.06991219, 1e-6));
  CHECK_THAT(mixture_bound(poisson, 100, .05), WithinAbs(30.19490, 1e-5));
}

TEST_CASE("the gamma-exponential bound of a predictable variance") {
  const Mixture mixture{.kind = MixtureKind::gamma_exponential, .v_opt = 1};
  CHECK_THAT(mixture_bound(mixture, .2924699409, .025), WithinAbs(5.3359810328, 1e-8));  // an independent program
}

TEST_CASE("stitched boundaries are those of confseq's tests") {
  CHECK_THAT(stitched_bound(100, 10, .05, 3), WithinAbs(64.48755, 1e-5));
  CHECK_THAT(stitched_bound(100, 10, .05, -1), WithinAbs(28.99389, 1e-5));
  CHECK_THAT(quantile_bound(1000, 100, .5, .05), WithinAbs(68.62803, 1e-5));
  CHECK_THAT(quantile_bound(1000, 100, .9, .05), WithinAbs(43.72119, 1e-5));
  CHECK_THAT(quantile_bound(1000, 100, .1, .05), WithinAbs(59.96521, 1e-5));
}

TEST_CASE("the interval of a probability is that of confseq's tests") {
  const auto check = [](int wins, int n, double t_opt, double low, double high) {
    const auto interval = bernoulli_sequence(wins, n, .05, t_opt);
    CHECK_THAT(*interval.low, WithinAbs(low, 1e-6));
    CHECK_THAT(*interval.high, WithinAbs(high, 1e-6));
  };
  check(15, 50, 50, .129556, .511896);
  check(5, 50, 50, .013021, .269264);
  check(1, 50, 50, 0, .134892);
  check(1, 2, 50, 0, 1);
  check(0, 1, 50, 0, 1);
  check(1, 1, 50, 0, 1);
  check(100, 200, 1, .328923, .671076);
  check(22, 29, 30, .4827926324, .9450653174);
  check(0, 0, 30, 0, 1);
}

TEST_CASE("a bound is where its martingale reaches 1 / alpha") {
  for (const auto kind :
       {MixtureKind::normal_two_sided, MixtureKind::normal_one_sided, MixtureKind::gamma_exponential,
        MixtureKind::gamma_poisson, MixtureKind::beta_binomial_one_sided, MixtureKind::beta_binomial_two_sided})
    for (const double v : {60.0, 100.0, 1000.0}) {
      const Mixture mixture{.kind = kind};
      CHECK_THAT(log_mixture(mixture, mixture_bound(mixture, v, .05), v), WithinAbs(std::log(20.0), 1e-9));
    }
  // In [-g, h] no sum exceeds v / g.
  CHECK(mixture_bound({.kind = MixtureKind::beta_binomial_two_sided, .g = 1, .h = 1}, 1.0, .05) == 1.0);
}

TEST_CASE("the interval covers at every look together, and one look's interval does not") {
  // 400 series of 200 tosses: coverage at all times is at least .95; an interval for one fixed n fails far oftener.
  int sequence_missed = 0, fixed_missed = 0;
  for (std::uint64_t series = 0; series < 400; ++series) {
    Stream draws(7, series);
    bool missed = false, fixed = false;
    for (std::int64_t n = 1, wins = 0; n <= 200; ++n) {
      wins += uniform(draws.next()) < .6 ? 1 : 0;
      const double z = (static_cast<double>(wins) / static_cast<double>(n) - .6) / std::sqrt(.24 / double(n));
      fixed = fixed || (n >= 5 && std::fabs(z) > 1.96);
      if (n % 5 != 0) continue;
      const auto interval = bernoulli_sequence(wins, n);
      missed = missed || *interval.low > .6 || *interval.high < .6;
    }
    sequence_missed += missed ? 1 : 0;
    fixed_missed += fixed ? 1 : 0;
  }
  CHECK(sequence_missed <= 20);
  CHECK(fixed_missed > 100);
}

TEST_CASE("parameters of a boundary are refused by name") {
  CHECK(refused_field([] { (void)log_mixture({}, 1, -1); }) == "v");
  CHECK(refused_field([] { (void)mixture_bound({}, 1, 0); }) == "alpha");
  CHECK(refused_field([] { (void)log_mixture({.v_opt = 0}, 1, 1); }) == "v_opt");
  CHECK(refused_field([] { (void)bernoulli_sequence(3, 2); }) == "wins");
}

}  // namespace retrial::tests::confidence_sequences_tests
