#include "variance/groups/studentised_range.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::tests::studentised_range_tests {

using namespace retrial::variance;

TEST_CASE("the studentised range of two means is Student's t, at any degrees of freedom") {
  // The range of two means over their standard error is |t| sqrt(2).
  for (const double df : {1.0, 1.1, 1.25, 1.5, 2.0, 2.7, 5.0, 40.0, 1000.0})
    for (const double q : {.001, .1, 1.0, 3.0, 10.0, 60.0, 500.0, 1e5}) {
      CAPTURE(df, q);
      CHECK_THAT(studentised_range_cdf(q, 2, df), WithinAbs(1.0 - 2.0 * student_cdf(-q / std::sqrt(2.0), df), 1e-11));
    }
}

TEST_CASE("the studentised range at few degrees of freedom") {
  // SciPy 1.17.1, stats.studentized_range.cdf and ppf; the first two also mpmath 1.4.1 with 20 digits, nested quad.
  CHECK_THAT(studentised_range_cdf(50, 10, 1), WithinAbs(.950927548229671, 1e-11));
  CHECK_THAT(studentised_range_cdf(135.04, 3, 1), WithinAbs(.989999951166155, 1e-11));
  CHECK_THAT(studentised_range_cdf(1, 3, 1), WithinAbs(.19683858159631004, 1e-11));
  CHECK_THAT(studentised_range_cdf(.5, 10, 1), WithinAbs(.00018209983367438578, 1e-11));
  CHECK_THAT(studentised_range_cdf(1000, 4, 1), WithinAbs(.9983573564087117, 1e-11));
  CHECK_THAT(studentised_range_cdf(9, 4, 1.25), WithinAbs(.8675133837032968, 1e-11));
  CHECK_THAT(studentised_range_cdf(20, 3, 1.5), WithinAbs(.9763241417907247, 1e-11));
  CHECK_THAT(studentised_range_cdf(60, 5, 2), WithinAbs(.9982920755040826, 1e-11));
  CHECK_THAT(studentised_range_cdf(100, 6, 2.5), WithinAbs(.9998553442438032, 1e-11));
  CHECK_THAT(studentised_range_cdf(30, 20, 3), WithinAbs(.9970734468142806, 1e-11));
  CHECK_THAT(studentised_range_quantile(.99, 3, 1), WithinRel(135.0406595185336, 1e-9));
  CHECK_THAT(studentised_range_quantile(.95, 10, 1), WithinRel(49.07102242370929, 1e-9));
  CHECK_THAT(studentised_range_quantile(.5, 4, 1), WithinRel(2.9177534968805734, 1e-9));
  CHECK_THAT(studentised_range_quantile(.999, 4, 1), WithinRel(1642.6447515705208, 1e-9));
  CHECK_THAT(studentised_range_quantile(.95, 3, 2), WithinRel(8.330782645637044, 1e-9));
}

TEST_CASE("Dunnett's law of one mean against a control is Student's t, at few degrees of freedom too") {
  const std::vector<double> one{std::sqrt(.5)};
  for (const double df : {1.0, 2.0, 3.5, 20.0})
    for (const double d : {-30.0, -2.0, .5, 2.0, 12.0, 80.0}) {
      CAPTURE(df, d);
      CHECK_THAT(dunnett_cdf(d, one, df, false), WithinAbs(student_cdf(d, df), 1e-11));
      if (d > 0) CHECK_THAT(dunnett_cdf(d, one, df, true), WithinAbs(1.0 - 2.0 * student_cdf(-d, df), 1e-11));
    }
}

TEST_CASE("the law of one number of means is that of the quadrature, wherever it is asked") {
  Stream stream(derive(7, "studentised range"), 0);
  for (const std::int64_t k : {2, 3, 5, 12, 100}) {
    const StudentisedRange range(k);
    for (int i = 0; i < 12; ++i) {
      const double df = 1.0 + 60.0 * std::pow(uniform(stream.next()), 3.0), q = 12.0 * uniform(stream.next());
      CAPTURE(k, df, q);
      CHECK_THAT(range.cdf(q, df), WithinAbs(studentised_range_cdf(q, k, df), 1e-11));
    }
    CHECK_THAT(studentised_range_cdf(range.quantile(.95, 7.5), k, 7.5), WithinAbs(.95, 1e-11));
  }
}

TEST_CASE("Dunnett's p values and interval are those of the quadrature, for very unequal groups too") {
  // r = sqrt(1 - lambda^2) is .1: the law bends sharply near 0.
  Stream stream(derive(7, "dunnett"), 0);
  const auto drawn = [&](int runs) {
    std::vector<double> out;
    for (int i = 0; i < runs; ++i) out.push_back(normal(stream.next()));
    return out;
  };
  const std::vector<std::vector<double>> groups{drawn(200), drawn(190), drawn(3)};
  const auto control = drawn(2);
  const auto result = dunnett(groups, control);
  std::vector<double> lambda;
  for (const auto& group : groups) lambda.push_back(std::sqrt(size_of(group) / (size_of(group) + 2.0)));
  const double df = 200 + 190 + 3 + 2 - 4;
  for (const AgainstControl& one : result) {
    CAPTURE(one.statistic);
    CHECK_THAT(one.p_two, WithinAbs(1 - dunnett_cdf(std::fabs(one.statistic), lambda, df, true), 1e-10));
    CHECK_THAT(one.p_greater, WithinAbs(1 - dunnett_cdf(one.statistic, lambda, df, false), 1e-10));
    const double critical = (*one.difference.high - one.difference.point) * one.statistic / one.difference.point;
    CHECK_THAT(dunnett_cdf(critical, lambda, df, true), WithinAbs(.95, 1e-10));
  }
}

}  // namespace retrial::tests::studentised_range_tests
