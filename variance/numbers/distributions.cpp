#include "variance/numbers/distributions.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <stdexcept>

#include "variance/numbers/check.hpp"

namespace retrial::variance::inline numbers {
namespace {

namespace policies = boost::math::policies;

// Without promotion to long double, whose width differs between machines.
using Policy =
    policies::policy<policies::promote_double<false>, policies::domain_error<policies::throw_on_error>,
                     policies::pole_error<policies::throw_on_error>, policies::overflow_error<policies::throw_on_error>,
                     policies::evaluation_error<policies::throw_on_error>>;

template <typename Compute>
double guarded(const char* function, Compute&& compute) {
  try {
    return compute();
  } catch (const boost::math::evaluation_error&) {
    throw NumericalFailure(function, static_cast<int>(policies::get_max_series_iterations<Policy>()));
  } catch (const std::overflow_error&) {
    throw NumericalFailure(function, 0);
  }
}

using Student = boost::math::students_t_distribution<double, Policy>;

void require_binomial(std::int64_t n, double p) {
  require_at_least("n", n, 0);
  if (!(p >= 0.0 && p <= 1.0)) throw InvalidInput("p", shortest(p), "0 to 1");
}

}  // namespace

double binomial_at_most(std::int64_t k, std::int64_t n, double p) {
  require_binomial(n, p);
  if (k < 0) return 0.0;
  if (k >= n) return 1.0;
  const double a = static_cast<double>(k) + 1.0, b = static_cast<double>(n - k);
  return guarded("incomplete beta", [&] { return boost::math::ibetac(a, b, p, Policy{}); });
}

double binomial_at_least(std::int64_t k, std::int64_t n, double p) {
  require_binomial(n, p);
  if (k <= 0) return 1.0;
  if (k > n) return 0.0;
  const double a = static_cast<double>(k), b = static_cast<double>(n - k) + 1.0;
  return guarded("incomplete beta", [&] { return boost::math::ibeta(a, b, p, Policy{}); });
}

double binomial_exactly(std::int64_t k, std::int64_t n, double p) {
  require_binomial(n, p);
  if (k < 0 || k > n) return 0.0;
  if (p == 0.0 || p == 1.0) return k == (p == 0.0 ? 0 : n) ? 1.0 : 0.0;
  const double a = static_cast<double>(k), b = static_cast<double>(n - k);
  // x^a (1-x)^b / B(a+1, b+1) is the density of Beta(a+1, b+1), n + 1 times the probability.
  return guarded("binomial", [&] { return boost::math::ibeta_derivative(a + 1.0, b + 1.0, p, Policy{}); }) /
         (static_cast<double>(n) + 1.0);
}

double binomial_two_sided(std::int64_t k, std::int64_t n, double p) {
  require_binomial(n, p);
  require_within("k", k, 0, n);
  const double limit = binomial_exactly(k, n, p) * (1.0 + 1e-7);
  // Probabilities rise up to the mode and fall after it: two bisections find the far end of the likely counts.
  const auto mode = static_cast<std::int64_t>(std::floor((static_cast<double>(n) + 1.0) * p));
  const auto likely = [&](std::int64_t i) { return binomial_exactly(i, n, p) > limit; };
  if (!likely(std::min(mode, n))) return 1.0;
  std::int64_t low = -1, first = std::min(mode, n);
  while (first - low > 1) {
    const std::int64_t middle = low + (first - low) / 2;
    (likely(middle) ? first : low) = middle;
  }
  std::int64_t last = std::min(mode, n), high = n + 1;
  while (high - last > 1) {
    const std::int64_t middle = last + (high - last) / 2;
    (likely(middle) ? last : high) = middle;
  }
  return std::min(1.0, binomial_at_most(low, n, p) + binomial_at_least(high, n, p));
}

double beta_quantile(double q, double a, double b) {
  return guarded("beta quantile", [&] { return boost::math::ibeta_inv(a, b, q, Policy{}); });
}

double normal_cdf(double z) {
  return boost::math::erfc(-z / std::sqrt(2.0), Policy{}) / 2.0;
}

double student_cdf(double t, double df) {
  require_positive("df", df);
  if (std::isinf(t)) return t > 0.0 ? 1.0 : 0.0;
  return guarded("Student distribution", [&] { return boost::math::cdf(Student(df), t); });
}

StudentTails student_tails(double t, double df) {
  const double smaller = student_cdf(-std::fabs(t), df), larger = 1.0 - smaller;
  return t > 0.0 ? StudentTails{larger, smaller} : StudentTails{smaller, larger};
}

double student_quantile(double p, double df) {
  require_positive("df", df);
  require_between("p", p, 0.0, 1.0);
  // The last one is kept: a simulation asks for one quantile a million times, and it takes half of a paired t test.
  thread_local struct { double p, df, quantile; } kept{};
  if (kept.p != p || kept.df != df)
    kept = {p, df, guarded("Student quantile", [&] { return boost::math::quantile(Student(df), p); })};
  return kept.quantile;
}

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
  // below the smallest double, Boost overflows on the way to 0.
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

double gamma_above(double x, double shape) {
  return guarded("incomplete gamma", [&] { return boost::math::gamma_q(shape, x, Policy{}); });
}

double beta_cdf(double x, double a, double b) {
  return guarded("incomplete beta", [&] { return boost::math::ibeta(a, b, x, Policy{}); });
}

double chi_squared_quantile(double p, double df) {
  const boost::math::chi_squared_distribution<double, Policy> law(df);
  return guarded("chi-squared quantile", [&] { return boost::math::quantile(law, p); });
}

double f_quantile(double p, double df_between, double df_within) {
  const boost::math::fisher_f_distribution<double, Policy> law(df_between, df_within);
  return guarded("F quantile", [&] { return boost::math::quantile(law, p); });
}

double log_factorial(std::int64_t n) {
  return log_gamma(static_cast<double>(n) + 1.0);
}

double log_choose(std::int64_t n, std::int64_t k) {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

double log_gamma(double x) {
  require_positive("x", x);
  return guarded("log gamma", [&] { return boost::math::lgamma(x, Policy{}); });
}

double integrate(const std::function<double(double)>& f, double low, double high, int panels) {
  const double width = (high - low) / panels;
  double sum = 0.0;
  for (int i = 0; i < panels; ++i) {
    const double from = low + width * i;
    sum += boost::math::quadrature::gauss<double, 30>::integrate(f, from, from + width);
  }
  return sum;
}

}  // namespace retrial::variance::inline numbers
