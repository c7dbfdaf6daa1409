#include "variance/numbers/noncentrality.hpp"

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::noncentrality_tests {

using namespace retrial::variance;

TEST_CASE("the noncentrality that leaves a share of the law above t is SciPy's") {
  // SciPy 1.17.1: brentq(lambda d: nct.sf(t, df, d) - q).
  struct Row {
    double q, t, df, d;
  };
  for (const Row& row : std::initializer_list<Row>{{.025, 2.5, 9, .182943963045},
                                                   {.975, 2.5, 9, 4.71541229122},
                                                   {.025, -1.3, 4, -3.38022069403},
                                                   {.025, 12, 9, 6.18668709739},
                                                   {.975, 12, 9, 17.7548560405},
                                                   {.975, 0, 30, 1.95996398454},
                                                   {.975, 3, 1, 7.08793777294},
                                                   {.025, 40, 3, 10.6448806169},
                                                   {.025, 2, 200, .0277978391266}}) {
    CAPTURE(row.t, row.df, row.q);
    CHECK_THAT(noncentrality_quantile(row.q, row.t, row.df), WithinRel(row.d, 1e-9));
  }
}

TEST_CASE("the noncentrality puts the observed t at its place in Student's noncentral law") {
  // Boost's series of the noncentral law, which is another way to the same number.
  for (const double df : {1.0, 2.0, 5.0, 19.0, 150.0})
    for (const double t : {-6.0, -.3, 0.0, 1.1, 4.0, 25.0})
      for (const double q : {.005, .05, .5, .975}) {
        CAPTURE(df, t, q);
        CHECK_THAT(1.0 - noncentral_student_cdf(t, df, noncentrality_quantile(q, t, df)), WithinAbs(q, 1e-9));
      }
}

TEST_CASE("the noncentrality of an enormous t is that t times a root of chi-squared") {
  // Z is nothing beside t S, and S S df is chi-squared.
  const double t = 1e9, df = 7.0;
  for (const double q : {.025, .975})
    CHECK_THAT(noncentrality_quantile(q, t, df), WithinRel(t * std::sqrt(chi_squared_quantile(q, df) / df), 1e-8));
}

TEST_CASE("the noncentrality is odd in t, rises with q and is refused beyond its range") {
  for (const double t : {.2, 3.0, 70.0})
    CHECK_THAT(noncentrality_quantile(.1, -t, 6.0), WithinAbs(-noncentrality_quantile(.9, t, 6.0), 1e-10));
  CHECK(noncentrality_quantile(.1, 2.0, 6.0) < noncentrality_quantile(.2, 2.0, 6.0));
  CHECK(refused_field([] { (void)noncentrality_quantile(0.0, 1.0, 3.0); }) == "q");
  CHECK(refused_field([] { (void)noncentrality_quantile(.5, 1.0, .5); }) == "df");
  CHECK(refused_field([] { (void)noncentrality_quantile(.5, unlimited, 3.0); }) == "t[0]");
}

}  // namespace retrial::tests::noncentrality_tests
