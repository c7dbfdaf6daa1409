#include "variance/bootstrap/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/samples/summary.hpp"
#include "variance/sources/run_pairs.hpp"

namespace retrial::tests::bootstrap_tests {

using namespace retrial::variance;
using Scores = std::vector<double>;

namespace {
const Scores sixteen{10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213};
}

TEST_CASE("drawn means lie where the exact law has them") {
  // Exact lattice convolution of another program; R's Monte Carlo gives [28.86, 84.21].
  const auto interval = bootstrap_mean(sixteen, {.resamples = 100'000, .key = 4});
  CHECK_THAT(*interval.low, WithinAbs(28.8625, .4));
  CHECK_THAT(*interval.high, WithinAbs(84.2375, .4));
  CHECK(interval.method == "percentile bootstrap");
}

TEST_CASE("a statistic of the order statistics sees the same resamples, in ascending order") {
  // By definition: the resamples of `bootstrap`, sorted. Ties, one value drawn very often (two values), and BCa
  // included.
  Scores normals, two{3, 1};
  Stream stream(9);
  for (int i = 0; i < 31; ++i) normals.push_back(normal(stream.next()));
  normals[7] = normals[20] = normals[3];
  const auto weighted = [](std::span<const double> ordered) {
    double sum = 0.0;
    for (std::size_t i = 0; i < ordered.size(); ++i) sum += ordered[i] * static_cast<double>(i * i);
    return sum;
  };
  const auto sorting = [&](std::span<const double> drawn) {
    Scores ordered(drawn.begin(), drawn.end());
    std::sort(ordered.begin(), ordered.end());
    return weighted(ordered);
  };
  for (const auto& scores : {normals, two, sixteen})
    for (const auto method : {BootstrapMethod::percentile, BootstrapMethod::basic, BootstrapMethod::bca}) {
      const BootstrapOptions options{.resamples = 1'000, .key = 5, .method = method};
      const auto ours = bootstrap_ordered(scores, weighted, options),
                 theirs = bootstrap_interval(scores, sorting, options);
      CHECK(ours.point == theirs.point);
      CHECK(ours.low == theirs.low);
      CHECK(ours.high == theirs.high);
    }
  CHECK(refused_field([&] { (void)bootstrap_ordered(Scores{1.0}, weighted); }) == "values");
}

TEST_CASE("the acceleration of a difference of means") {
  // Efron and Tibshirani's mice; the jackknife of mean(z) - mean(y).
  const Scores first{10, 27, 31, 40, 46, 50, 52, 104, 146}, second{16, 23, 38, 94, 99, 141, 197};
  std::vector<Scores> left_out(2);
  const double a = *mean(first), b = *mean(second);
  for (const double x : first) left_out[0].push_back(b - (9 * a - x) / 8);
  for (const double x : second) left_out[1].push_back((7 * b - x) / 6 - a);
  CHECK_THAT(bca_acceleration(left_out), WithinRel(.0110082283440, 1e-9));
}

TEST_CASE("a statistic of one's own gives the bits of the built-in mean") {
  const BootstrapOptions options{.resamples = 2'000, .key = 6, .method = BootstrapMethod::bca};
  const auto own = bootstrap_interval(
      sixteen,
      [](std::span<const double> x) {
        double sum = 0;
        for (const double v : x) sum += v;
        return sum / static_cast<double>(x.size());
      },
      options);
  const auto built_in = bootstrap_mean(sixteen, options);
  CHECK(own.low == built_in.low);
  CHECK(own.high == built_in.high);
}

TEST_CASE("the basic interval mirrors the percentile one, BCa leans with the skew") {
  const auto percentile = bootstrap_mean(sixteen, {.key = 6});
  const auto basic = bootstrap_mean(sixteen, {.key = 6, .method = BootstrapMethod::basic});
  CHECK(*basic.low == 2 * 53.99375 - *percentile.high);
  CHECK(*basic.high == 2 * 53.99375 - *percentile.low);
  const auto bca = bootstrap_mean(sixteen, {.key = 6, .method = BootstrapMethod::bca});
  CHECK(*bca.low > *percentile.low);
  CHECK(*bca.high > *percentile.high);
}

TEST_CASE("BCa with all resamples on one side of the statistic fails and names the other method") {
  Scores resampled(1'000, 2.0);
  CHECK_THROWS_AS((void)bootstrap_interval(resampled, 1.0, 0.0, {.method = BootstrapMethod::bca}),
                  retrial::NumericalFailure);
}

TEST_CASE("BCa of the mean of a million scores needs no square of them") {
  Scores many(1'000'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i % 97);
  // A thousand resamples would be a billion draws; the jackknife alone is what is bounded here.
  std::vector<Scores> left_out(1, many);
  CHECK(std::isfinite(bca_acceleration(left_out)));
}

TEST_CASE("the jackknife over runs of a mean over pairs") {
  // Pair churns (12, 13, 23) = .1, .2, .6: theta .3, without run 1, 2, 3: .6, .2, .1; se = sqrt(2/3 * .14) is
  // .3055050463, times t_2(.975) = 4.3026527299 is 1.3144821215.
  const PairTable churn{.runs = 3, .values = {.1, .2, .6}};
  const auto interval = pair_jackknife(churn);
  CHECK_THAT(interval.point, WithinAbs(.3, 1e-15));
  CHECK_THAT(*interval.low, WithinAbs(.3 - 1.3144821215, 1e-9));
  CHECK_THAT(*interval.high, WithinAbs(.3 + 1.3144821215, 1e-9));
  const auto clipped = pair_jackknife(churn, {.low = 0.0, .high = 1.0});
  CHECK(clipped.low == 0.0);
  CHECK(clipped.high == 1.0);
  CHECK_FALSE(pair_jackknife({.runs = 2, .values = {.1}}).low);
  CHECK(refused_field([] { (void)pair_jackknife({.runs = 3, .values = {.1, .2}}); }) == "values");
}

TEST_CASE("a run is never paired with itself in a resample") {
  // All pairs differ by 1: with self-pairs of 0 the interval would reach below.
  const PairTable churn{.runs = 4, .values = Scores(6, 1.0)};
  const auto interval = pair_bootstrap(churn, {.resamples = 1'000, .key = 1});
  CHECK(interval.low == 1.0);
  CHECK(interval.high == 1.0);
  // A ratio of sums: weights 2 everywhere halve it.
  const PairTable ratio{.runs = 4, .values = Scores(6, 1.0), .weights = Scores(6, 2.0)};
  CHECK(pair_bootstrap(ratio, {.resamples = 1'000, .key = 1}).high == .5);
}

}  // namespace retrial::tests::bootstrap_tests
