#include "variance/bayes/bayes.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::bayes_tests {

// Values of baycomp's own tests (MIT) where a test says so, else of an independent program (the specification of the
// variance layer names them).

using namespace retrial::variance;
using Scores = std::vector<double>;

TEST_CASE("the posterior of the correlated t is that of baycomp's tests") {
  const auto three = correlated_t(Scores{1, 5, -3}, 0.0, 1.0 / 3);
  CHECK(three.mean.point == 1.0);
  CHECK_THAT(three.scale * three.scale, WithinRel(13.3333333333, 1e-10));
  CHECK(three.df == 2.0);
  const auto four = correlated_t(Scores{1, 5, -3, 1}, 0.0, .5);
  CHECK_THAT(four.scale * four.scale, WithinRel(13.3333333333, 1e-10));
}

TEST_CASE("probabilities of the correlated t") {
  const auto plain = correlated_t_of(100, .4, 784.0 / 99, 0.0, .1);
  CHECK_THAT(plain.scale, WithinAbs(.9793375988, 1e-10));
  CHECK_THAT(plain.posterior.left, WithinAbs(.3419166281, 1e-10));
  CHECK_THAT(plain.posterior.right, WithinAbs(.6580833719, 1e-10));
  CHECK(plain.posterior.rope == 0.0);
  const auto sure = correlated_t_of(100, 1.93882, 2.504947846060605, 0.0, .1);
  CHECK_THAT(sure.posterior.left, WithinAbs(.0003269075, 1e-10));
  const auto roped = correlated_t_of(100, -.26666, 3.51959956, 1.0, .1);
  CHECK_THAT(roped.posterior.left, WithinAbs(.1320292136, 1e-10));
  CHECK_THAT(roped.posterior.rope, WithinAbs(.8403636167, 1e-10));
  CHECK_THAT(roped.posterior.right, WithinAbs(.0276071696, 1e-10));
}

TEST_CASE("independent runs have rho 0, and rho 1 is refused instead of a singular model") {
  CHECK_NOTHROW(correlated_t(Scores{1, 2, 3}, 0.0, 0.0));
  CHECK(refused_field([] { (void)correlated_t(Scores{1, 2, 3}, 0.0, 1.0); }) == "rho");
  CHECK(refused_field([] { (void)correlated_t(Scores{1, 2, 3}, -1.0); }) == "rope");
  CHECK(refused_field([] { (void)correlated_t(Scores{1}); }) == "pairs");
}

TEST_CASE("differences without spread are a point mass") {
  CHECK(correlated_t(Scores{2, 2, 2}).posterior.right == 1.0);
  CHECK(correlated_t(Scores{2, 2, 2}, 3.0).posterior.rope == 1.0);
  CHECK(correlated_t(Scores{0, 0}).posterior.left == .5);
}

TEST_CASE("the largest of three Gamma variables") {
  const auto first = largest_of_gammas({18.0001, 15.0001, 21.0001});
  CHECK_THAT(first[0], WithinAbs(.2781450701, 1e-10));
  CHECK_THAT(first[1], WithinAbs(.0962244139, 1e-10));
  CHECK_THAT(first[2], WithinAbs(.6256305160, 1e-10));
  const auto second = largest_of_gammas({3.0001, 28.0001, 23.0001});
  CHECK_THAT(second[0], WithinRel(4.4928020e-8, 1e-6));
  CHECK_THAT(second[1], WithinAbs(.7600557020, 1e-10));
  // Exponentials: each is the largest of three equally often; of two, the third being next to nothing.
  CHECK_THAT(largest_of_gammas({1, 1, 1})[0], WithinAbs(1.0 / 3, 1e-10));
  CHECK_THAT(largest_of_gammas({1, 1, 1e-4})[0], WithinAbs(.5, 1e-4));
}

TEST_CASE("probabilities of being the largest sum to one, whatever the shapes") {
  for (const double a : {1e-4, .5001, 1.0, 19.9, 20.1, 300.0, 5000.0})
    for (const double b : {1e-4, 1.0, 20.0, 310.0})
      for (const double c : {1.0, 25.0, 4000.0}) {
        CAPTURE(a, b, c);
        const auto p = largest_of_gammas({a, b, c});
        CHECK_THAT(p[0] + p[1] + p[2], WithinAbs(1.0, 1e-10));
      }
}

TEST_CASE("the sign test counts what lies in the rope") {
  // 3 below, 1 within, 2 above: shapes 3.0001, 2.0001, 2.0001.
  const auto posterior = dirichlet_sign(Scores{-3, -2, -1, .1, 2, 3}, .5);
  const auto largest = largest_of_gammas({3.0001, 2.0001, 2.0001});
  CHECK_THAT(posterior.left, WithinAbs(largest[0], 1e-12));
  CHECK_THAT(posterior.right, WithinAbs(largest[2], 1e-12));
  CHECK_THAT(posterior.rope, WithinAbs(posterior.right, 1e-10));
}

TEST_CASE("signed ranks of one difference have a closed form") {
  // Weights w (of the difference, Exp(1)) and v (of the zero, Gamma(1/2)): right = w^2 + 2 w v, left = 0, tie v^2
  // halved: without a rope the difference decides whenever it is positive.
  CHECK(signed_rank(Scores{1.0}, {.draws = 5'000, .key = 3}).right == 1.0);
  // Rope 0.3 (-0.6 .. 0.6): w^2 + 2 w v against v^2: w > v (sqrt 2 - 1); P(Exp > c Gamma(1/2)) = (1 + c)^(-1/2).
  const double c = std::sqrt(2.0) - 1.0;
  CHECK_THAT(signed_rank(Scores{1.0}, {.rope = .3, .draws = 50'000, .key = 3}).right,
             WithinAbs(1 / std::sqrt(1 + c), 4 * std::sqrt(.25 / 50'000)));
}

TEST_CASE("signed ranks repeat under one key, differ under another and mirror with the differences") {
  const Scores d{1.2, -.4, .8, 2.1, -.3, .9, .1, -1.0, 1.7};
  Scores mirrored = d;
  for (double& x : mirrored) x = -x;
  const SignedRankOptions options{.rope = .2, .draws = 20'000, .key = 9};
  const auto first = signed_rank(d, options), again = signed_rank(d, options), back = signed_rank(mirrored, options);
  CHECK(first.right == again.right);
  CHECK(first.right == back.left);
  CHECK(signed_rank(d, {.rope = .2, .draws = 20'000, .key = 10}).right != first.right);
  CHECK(signed_rank(Scores{0, 0, 0}, {.draws = 1'000, .key = 1}).left == .5);
}

}  // namespace retrial::tests::bayes_tests
