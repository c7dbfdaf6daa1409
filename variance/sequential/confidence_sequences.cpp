#include "variance/sequential/confidence_sequences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline sequential {
namespace {

constexpr double stitching = 1.4, zeta = 3.105547277977581;  // exponent, and Riemann's zeta of it

double log_beta(double a, double b) {
  return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
}

/// Incomplete up to x; complete for x = 1.
double log_beta_up_to(double x, double a, double b) {
  if (x >= 1.0) return log_beta(a, b);
  return std::log(beta_cdf(x, a, b)) + log_beta(a, b);
}

/// A one-sided boundary spends its alpha on one tail: the two-sided tuning at twice the level.
double rho_of(const Mixture& m) {
  const bool two_sided = m.kind == MixtureKind::normal_two_sided || m.kind == MixtureKind::beta_binomial_two_sided;
  return mixture_rho(m.v_opt, two_sided ? m.alpha_opt : 2.0 * m.alpha_opt);
}

double log_normal(double s, double v, double rho) {
  return 0.5 * std::log(rho / (v + rho)) + s * s / (2.0 * (v + rho));
}

double log_half_normal(double s, double v, double rho) {
  return std::log(2.0) + log_normal(s, v, rho) + std::log(normal_cdf(s / std::sqrt(v + rho)));
}

double log_gamma_exponential(double s, double v, double rho, double c) {
  const double q = rho / (c * c), a = (c * s + v) / (c * c), b = (v + rho) / (c * c);
  return q * std::log(q) - log_gamma(q) - std::log(gamma_cdf(q, q)) + log_gamma(b) + std::log(gamma_cdf(a + q, b)) -
         b * std::log(a + q) + a;
}

double log_gamma_poisson(double s, double v, double rho, double c) {
  const double q = rho / (c * c), b = (v + rho) / (c * c), d = s / c + b;
  return q * std::log(q) - log_gamma(q) - std::log(gamma_above(q, q)) + log_gamma(d) + std::log(gamma_above(b, d)) -
         d * std::log(b) + v / (c * c);
}

double log_beta_binomial(const Mixture& m, double s, double v, double rho) {
  const double g = m.g, h = m.h, product = g * h, scale = g + h;
  const double r = std::max(rho - product, 1e-3 * product);
  const double x = m.kind == MixtureKind::beta_binomial_two_sided ? 1.0 : h / scale;
  s = std::min(s, v / g);
  return v / product * std::log(scale) - (v + h * s) / (h * scale) * std::log(g) -
         (v - g * s) / (g * scale) * std::log(h) +
         log_beta_up_to(x, (r + v - g * s) / (g * scale), (r + v + h * s) / (h * scale)) -
         log_beta_up_to(x, r / (g * scale), r / (h * scale));
}

void require_mixture(const Mixture& m, double v) {
  require_positive("v_opt", m.v_opt);
  require_between("alpha_opt", m.alpha_opt, 0.0, 0.5);
  require_positive("c", m.c);
  require_positive("g", m.g);
  require_positive("h", m.h);
  require_not_negative("v", v);
}

/// The point where `above` turns true between low (false) and high (true), to the last bits.
template <typename Above>
double turning_point(double low, double high, Above&& above) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= std::min(low, high) || middle >= std::max(low, high)) break;
    (above(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

double mixture_rho(double v, double alpha) {
  require_positive("v", v);
  require_between("alpha", alpha, 0.0, 1.0);
  const double l = -std::log(alpha);
  return v / (2.0 * l + std::log1p(2.0 * l));
}

double log_mixture(const Mixture& m, double s, double v) {
  require_mixture(m, v);
  const double rho = rho_of(m);
  switch (m.kind) {
    case MixtureKind::normal_two_sided:
      return log_normal(s, v, rho);
    case MixtureKind::normal_one_sided:
      return log_half_normal(s, v, rho);
    case MixtureKind::gamma_exponential:
      return log_gamma_exponential(s, v, rho, m.c);
    case MixtureKind::gamma_poisson:
      return log_gamma_poisson(s, v, rho, m.c);
    default:
      return log_beta_binomial(m, s, v, rho);
  }
}

double mixture_bound(const Mixture& m, double v, double alpha) {
  require_mixture(m, v);
  require_positive("v", v);
  require_between("alpha", alpha, 0.0, 1.0);
  if (m.kind == MixtureKind::normal_two_sided) {
    const double rho = rho_of(m);
    return std::sqrt((v + rho) * (std::log1p(v / rho) - 2.0 * std::log(alpha)));
  }
  const auto above = [&](double s) { return log_mixture(m, s, v) >= -std::log(alpha); };
  const bool beta = m.kind == MixtureKind::beta_binomial_one_sided || m.kind == MixtureKind::beta_binomial_two_sided;
  const double limit = beta ? v / m.g : std::numeric_limits<double>::max();
  double high = std::min(limit, std::sqrt(v));
  while (!above(high)) {
    if (high >= limit) return limit;
    high = std::min(limit, 2.0 * high);
  }
  return turning_point(0.0, high, above);
}

double stitched_bound(double v, double v_min, double alpha, double c) {
  require_positive("v", v);
  require_positive("v_min", v_min);
  require_between("alpha", alpha, 0.0, 1.0);
  constexpr double s = stitching, eta = 2.0;
  const double at = std::max(v, v_min);
  const double l = s * std::log(std::log(eta * at / v_min)) + std::log(zeta / (alpha * std::pow(std::log(eta), s)));
  const double k1 = (std::pow(eta, 0.25) + std::pow(eta, -0.25)) / std::sqrt(2.0), k2 = (std::sqrt(eta) + 1.0) / 2.0;
  return std::sqrt(k1 * k1 * at * l + k2 * k2 * c * c * l * l) + k2 * c * l;
}

double quantile_bound(double t, double t_opt, double q, double alpha) {
  require_positive("t", t);
  require_positive("t_opt", t_opt);
  require_between("q", q, 0.0, 1.0);
  require_between("alpha", alpha, 0.0, 1.0);
  constexpr double s = stitching, eta = 2.0, delta = 0.5;
  const double tau = std::max(t, t_opt), logit = std::log(q / (1.0 - q));
  const double moved = 1.0 / (1.0 + std::exp(-(logit + 2.0 * delta * std::sqrt(eta * t_opt / tau))));
  const double r = q >= 0.5 ? q : std::min(0.5, moved), variance = r * (1.0 - r), c = (1.0 - 2.0 * q) / 3.0;
  const double j = std::sqrt(tau / t_opt) * std::fabs(logit) / (2.0 * delta) + 1.0;
  const double l = s * std::log(std::log(eta * tau / t_opt)) + s * std::log(j) +
                   std::log(2.0 * zeta * (2.0 * zeta + 1.0) / (alpha * std::pow(std::log(eta), s)));
  const double k1 = (std::pow(eta, 0.25) + std::pow(eta, -0.25)) / std::sqrt(2.0), k2 = (std::sqrt(eta) + 1.0) / 2.0;
  return delta * std::sqrt(eta * tau * variance / t_opt) +
         std::sqrt(k1 * k1 * variance * tau * l + k2 * k2 * c * c * l * l) + k2 * c * l;
}

Estimate bernoulli_sequence(std::int64_t wins, std::int64_t n, double alpha, double t_opt) {
  require_at_least("n", n, 0);
  require_within("wins", wins, 0, n);
  require_between("alpha", alpha, 0.0, 0.5);
  require_positive("t_opt", t_opt);
  Estimate result{.point = 0.5, .low = 0.0, .high = 1.0, .level = 1.0 - alpha, .method = "beta-binomial sequence"};
  if (n == 0) return result;
  const double trials = static_cast<double>(n), share = static_cast<double>(wins) / trials;
  result.point = share;
  const auto excluded = [&](double p) {
    const double v = p * (1.0 - p);
    const Mixture mixture{
        .kind = MixtureKind::beta_binomial_two_sided, .v_opt = t_opt * v, .alpha_opt = alpha, .g = p, .h = 1.0 - p};
    return log_mixture(mixture, trials * (share - p), trials * v) >= -std::log(alpha);
  };
  constexpr double edge = 1e-9;
  if (share > edge && excluded(edge)) result.low = turning_point(share, edge, excluded);
  if (share < 1.0 - edge && excluded(1.0 - edge)) result.high = turning_point(share, 1.0 - edge, excluded);
  return result;
}

}  // namespace retrial::variance::inline sequential
