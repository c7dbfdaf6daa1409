#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "variance/boost_policy.hpp"
#include "variance/check.hpp"
#include "variance/distributions.hpp"

namespace retrial::variance {

double noncentral_student_cdf(double t, double df, double shift) {
  require_positive("df", df);
  using Law = boost::math::non_central_t_distribution<double, Policy>;
  return guarded("noncentral Student distribution", [&] { return boost::math::cdf(Law(df, shift), t); });
}

double chi_squared_above(double x, double df) {
  require_positive("df", df);
  if (x <= 0.0) return 1.0;
  if (std::isinf(x)) return 0.0;
  return guarded("chi-squared distribution", [&] { return boost::math::gamma_q(df / 2.0, x / 2.0, Policy{}); });
}

double f_above(double f, double df_between, double df_within) {
  require_positive("df_between", df_between);
  require_positive("df_within", df_within);
  if (f <= 0.0) return 1.0;
  if (std::isinf(f)) return 0.0;
  const double share = df_within / (df_within + df_between * f);
  return guarded("F distribution",
                 [&] { return boost::math::ibeta(df_within / 2.0, df_between / 2.0, share, Policy{}); });
}

double gamma_cdf(double x, double shape) {
  // Far below the mean the first term of the series, x^a e^-x / Gamma(a + 1), bounds it within a factor; where that is
  // below the least double Boost overflows on the way to 0.
  if (x < shape / 2.0 && shape * std::log(x) - x - log_gamma(shape + 1.0) < -720.0) return 0.0;
  return guarded("gamma distribution", [&] { return boost::math::gamma_p(shape, x, Policy{}); });
}

double gamma_density(double x, double shape) {
  return guarded("gamma density", [&] { return boost::math::gamma_p_derivative(shape, x, Policy{}); });
}

double normal_density(double z) {
  constexpr double per_root_two_pi = 0.39894228040143267794;
  return per_root_two_pi * std::exp(-z * z / 2.0);
}

}  // namespace retrial::variance
