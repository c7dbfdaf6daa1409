#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace retrial::variance::inline numbers {

/// A statistic larger than any finite one; the degrees of freedom of a known variance.
inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Probabilities and quantiles from Boost.Math, in double precision. Boost does not appear in this header.
/// A series that does not converge throws NumericalFailure.

/// P(X <= k), P(X >= k), P(X = k) for X ~ Bin(n, p). Any k is legal; n >= 0, p in [0, 1].
[[nodiscard]] double binomial_at_most(std::int64_t k, std::int64_t n, double p);
[[nodiscard]] double binomial_at_least(std::int64_t k, std::int64_t n, double p);
[[nodiscard]] double binomial_exactly(std::int64_t k, std::int64_t n, double p);
/// Two-sided p value of k successes: the probability of all counts that are no more likely than k (as R's
/// binom.test, whose relative slack of 1e-7 against rounding is kept).
[[nodiscard]] double binomial_two_sided(std::int64_t k, std::int64_t n, double p);

/// x with P(Beta(a, b) <= x) = q; a, b > 0, q in [0, 1].
[[nodiscard]] double beta_quantile(double q, double a, double b);

[[nodiscard]] double normal_cdf(double z);
/// P(T <= t) of Student's distribution; t may be infinite. df > 0.
[[nodiscard]] double student_cdf(double t, double df);
struct StudentTails {
  double below, above;  ///< P(T <= t), P(T >= t)
  [[nodiscard]] double two() const { return 2.0 * (below < above ? below : above); }
};
/// Both tails, and P(|T| >= |t|), from one evaluation of the smaller one: the bits of student_cdf(t) and (-t).
[[nodiscard]] StudentTails student_tails(double t, double df);
/// t with P(T <= t) = p, 0 < p < 1.
[[nodiscard]] double student_quantile(double p, double df);

/// P(T <= t) of Student's distribution with noncentrality `shift`: the power of a t test is its tail.
[[nodiscard]] double noncentral_student_cdf(double t, double df, double shift);
/// P(X >= x) of chi-squared with df degrees of freedom; x <= 0 gives 1. df > 0.
[[nodiscard]] double chi_squared_above(double x, double df);
/// P(X >= f) of Fisher's F; f <= 0 gives 1, infinity gives 0. Both df > 0.
[[nodiscard]] double f_above(double f, double df_between, double df_within);
/// P(X <= x) and the density of a Gamma variable with this shape and scale 1; x, shape > 0.
[[nodiscard]] double gamma_cdf(double x, double shape);
[[nodiscard]] double gamma_density(double x, double shape);
[[nodiscard]] double normal_density(double z);

/// P(X >= x) of a Gamma variable with this shape and scale 1.
[[nodiscard]] double gamma_above(double x, double shape);
/// P(X <= x) of Beta(a, b); x in [0, 1], a, b > 0.
[[nodiscard]] double beta_cdf(double x, double a, double b);
/// x with P(X <= x) = p of chi-squared, and of Fisher's F; 0 < p < 1.
[[nodiscard]] double chi_squared_quantile(double p, double df);
[[nodiscard]] double f_quantile(double p, double df_between, double df_within);

/// log of n! and of the number of ways to choose k of n.
[[nodiscard]] double log_factorial(std::int64_t n);
[[nodiscard]] double log_choose(std::int64_t n, std::int64_t k);
/// log of the gamma function, x > 0.
[[nodiscard]] double log_gamma(double x);

/// Integral of a smooth function: 30-point Gauss-Legendre rules over `panels` equal panels of [low, high], summed from
/// low to high. Deterministic; about ten digits where a panel is no wider than the function's features.
[[nodiscard]] double integrate(const std::function<double(double)>& f, double low, double high, int panels);

}  // namespace retrial::variance::inline numbers
