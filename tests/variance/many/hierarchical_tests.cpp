#include "variance/many/hierarchical.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::hierarchical_tests {

using namespace retrial::variance;
using Sets = std::vector<std::vector<double>>;

namespace {

/// `sets` data sets of ten differences each, set means normal about `centre` with sd .5, sd 1 within.
Sets drawn(std::uint64_t key, std::size_t sets, double centre) {
  Sets result;
  for (std::size_t i = 0; i < sets; ++i) {
    Stream stream(key, i);
    const double own = centre + .5 * normal(stream.next());
    result.emplace_back();
    for (int j = 0; j < 10; ++j) result.back().push_back(own + normal(stream.next()));
  }
  return result;
}

}  // namespace

TEST_CASE("log Gamma in portable arithmetic agrees with the library's") {
  for (const double x : {.5, 1.0, 1.5, 2.0, 7.25, 16.0, 40.0, 500.0})
    CHECK_THAT(portable_log_gamma(x), WithinAbs(std::lgamma(x), 1e-12 * (1 + std::fabs(std::lgamma(x)))));
}

TEST_CASE("the closed form of the correlated likelihood") {
  // n = 4, rho = 1/4, d = (1, 2, 0, -1): inverse and determinant of the matrix by another program.
  const auto form = correlated_form(4, 2.0, 6.0, .25);
  CHECK_THAT(form.determinant, WithinAbs(.73828125, 1e-12));
  CHECK_THAT(form.quadratic, WithinAbs(7.2380952381, 1e-9));
}

TEST_CASE("the common mean and the spread of the sets are recovered, and the chains agree") {
  const auto result = hierarchical(drawn(1, 30, .8), {.rope = .2, .key = 5});
  CHECK(result.mixed);
  CHECK_THAT(result.delta, WithinAbs(.8, .35));
  CHECK_THAT(result.sigma, WithinAbs(.5, .3));
  CHECK(result.next.right > .95);
  CHECK_THAT(result.next.left + result.next.rope + result.next.right, WithinAbs(1.0, 1e-9));
  CHECK_THAT(result.mean.left + result.mean.rope + result.mean.right, WithinAbs(1.0, 1e-9));
}

TEST_CASE("tasks that are all alike have the posterior that quadrature finds, and the chains agree") {
  // Six sets of one shape around means .2 to .4. By another program: the deltas and sigmas of the sets integrated
  // analytically and numerically, the rest on a grid of 243 x 70 x 24 points (NumPy 2.4.6, SciPy 1.17.1).
  Sets alike;
  for (int i = 0; i < 6; ++i) {
    alike.emplace_back();
    for (const double x : {-1.5, -1.0, -.7, -.4, -.1, .1, .4, .7, 1.0, 1.5})
      alike.back().push_back(.3 + .05 * ((3 * i) % 5 - 2) + x);
  }
  const auto result = hierarchical(alike, {.key = 2});
  CHECK(result.mixed);
  CHECK(result.mixing_sigma.effective_draws > 2'000.0);
  CHECK_THAT(result.delta, WithinAbs(.2832, .01));
  CHECK_THAT(result.sigma, WithinAbs(.1600, .012));
  CHECK_THAT(result.nu, WithinAbs(41.02, 3.0));
}

TEST_CASE("of tasks that do not differ the sampler always gives an answer") {
  for (const std::size_t sets : {3UL, 10UL, 30UL})
    for (std::uint64_t key = 1; key <= 5; ++key) {
      Sets data(sets);
      for (std::size_t i = 0; i < sets; ++i) {
        Stream stream(key, i);
        for (int j = 0; j < 10; ++j) data[i].push_back(normal(stream.next()));
      }
      CAPTURE(sets, key);
      CHECK(hierarchical(data, {.key = key}).mixed);
    }
}

TEST_CASE("one or two tasks say nothing about how far tasks differ, even where the chains agree by chance") {
  CHECK_FALSE(hierarchical(drawn(6, 1, .5), {.key = 5}).mixed);
  const Sets two{{.8, 1.1, .9}, {.9, .7, .6}};
  for (std::uint64_t key = 1; key <= 20; ++key) {
    CAPTURE(key);
    CHECK_FALSE(hierarchical(two, {.key = key}).mixed);
  }
}

/// Flat priors on the common mean and on the spread of k normal means without noise: given them, the common mean has
/// the Student law with k - 2 degrees of freedom around their average, at the scale sd sqrt((k - 1) / (k (k - 2))).
TEST_CASE("where tasks differ far more than runs, the answer is a t law of the means of the tasks") {
  Sets far;
  for (const double centre : {-1.5, -1.0, -.65, -.35, -.1, .1, .35, .65, 1.0, 1.5}) {
    far.emplace_back();
    for (const double x : {-.01, -.005, 0.0, .005, .01}) far.back().push_back(.55 + centre + x);
  }
  // t = .55 / (.91954 sqrt(9 / 80)) = 1.78326; P(T_8 < 1.78326) = .94381 (scipy.stats.t.cdf, SciPy 1.17.1). The tails
  // of the sets are nearly normal: nu is above 30.
  CHECK_THAT(hierarchical(far, {.key = 1}).next.right, WithinAbs(.9438, .015));
}

TEST_CASE("exchanging the variants mirrors the answer, and the unit does not matter") {
  Sets data = drawn(2, 12, .3), mirrored = data, scaled = data;
  for (auto& set : mirrored)
    for (double& x : set) x = -x;
  for (auto& set : scaled)
    for (double& x : set) x *= 64.0;  // a power of two: every quotient keeps its bits
  const auto there = hierarchical(data, {.rope = .1, .key = 5}), back = hierarchical(mirrored, {.rope = .1, .key = 6});
  CHECK_THAT(there.mean.right, WithinAbs(back.mean.left, .03));
  const auto other_unit = hierarchical(scaled, {.rope = 6.4, .key = 5});
  CHECK(other_unit.next.right == there.next.right);
  CHECK(other_unit.delta == 64.0 * there.delta);
}

TEST_CASE("one key repeats, another differs") {
  const Sets data = drawn(3, 6, 0);
  const HierarchicalOptions few{.key = 5, .warm_up = 100, .kept = 200};
  CHECK(hierarchical(data, few).delta == hierarchical(data, few).delta);
  HierarchicalOptions other = few;
  other.key = 6;
  CHECK(hierarchical(data, other).delta != hierarchical(data, few).delta);
}

TEST_CASE("chains too short to agree support no verdict") {
  CHECK_FALSE(hierarchical(drawn(4, 6, 0), {.key = 5, .warm_up = 0, .kept = 100}).mixed);
}

TEST_CASE("sets without spread take part with the least spread, not with invented data") {
  Sets data = drawn(5, 8, .5);
  data[0] = std::vector<double>(10, .5);
  CHECK(std::isfinite(hierarchical(data, {.key = 5, .warm_up = 200, .kept = 500}).delta));
}

TEST_CASE("what cannot be modelled is refused") {
  CHECK(refused_field([] { (void)hierarchical({}, {}); }) == "data sets");
  CHECK(refused_field([] { (void)hierarchical(Sets{{1, 2}, {1}}, {}); }) == "differences[1]");
  CHECK(refused_field([] { (void)hierarchical(Sets{{1, 2}}, {.rho = 1.0}); }) == "rho");
  CHECK(refused_field([] { (void)hierarchical(Sets{{1, 1}, {1, 1}}, {}); }) == "differences");
}

}  // namespace retrial::tests::hierarchical_tests
