#pragma once

#include <cstdint>

#include "variance/numbers/estimate.hpp"

/// Confidence sequences of Howard, Ramdas, McAuliffe and Sekhon (2021): intervals that hold at all sample sizes at
/// once, so that you may look after every pair. `s` is the sum of the observations minus its expectation under the
/// null, `v` its intrinsic time (a variance sum); both in the unit of the observations and its square.
namespace retrial::variance::inline sequential {

enum class MixtureKind {
  normal_two_sided,         ///< sub-Gaussian
  normal_one_sided,         ///< sub-Gaussian
  gamma_exponential,        ///< sub-exponential of scale c: empirical variances of bounded scores
  gamma_poisson,            ///< sub-Poisson of scale c: bounded above by c
  beta_binomial_one_sided,  ///< in [-g, h]
  beta_binomial_two_sided
};

/// A mixture martingale. Tightest at intrinsic time `v_opt`, valid at every time.
struct Mixture {
  MixtureKind kind = MixtureKind::normal_two_sided;
  double v_opt = 100.0, alpha_opt = 0.05;
  double c = 1.0;           ///< scale of the gamma mixtures
  double g = 1.0, h = 1.0;  ///< range of the beta-binomial mixtures
};

/// v / (2 L + log(1 + 2 L)), L = log(1 / alpha): the tuning parameter that makes `v` the best time.
[[nodiscard]] double mixture_rho(double v, double alpha);
/// log of the martingale: an e-value in logs. InvalidInput for v < 0 and parameters that are not positive.
[[nodiscard]] double log_mixture(const Mixture& mixture, double s, double v);
/// Smallest s >= 0 whose martingale reaches 1 / alpha: the boundary at intrinsic time v > 0. By bisection; closed form
/// for the two-sided normal. Saturates at v / g for the beta-binomial.
[[nodiscard]] double mixture_bound(const Mixture& mixture, double v, double alpha);

/// Boundary by polynomial stitching, sub-gamma of scale c (negative: sub-Poisson side): exponent 1.4, eta 2.
[[nodiscard]] double stitched_bound(double v, double v_min, double alpha, double c = 0.0);
/// Boundary of the q-quantile by double stitching, at sample size t, tuned to t_opt.
[[nodiscard]] double quantile_bound(double t, double t_opt, double q, double alpha);

/// Interval of a probability after `wins` of `n` independent trials that holds at every n at once, level 1 - alpha,
/// tightest at n = t_opt. {p: beta-binomial martingale < 1 / alpha}; a side that never crosses is 0 or 1. n = 0: [0,
/// 1].
[[nodiscard]] Estimate bernoulli_sequence(std::int64_t wins, std::int64_t n, double alpha = 0.05, double t_opt = 30.0);

}  // namespace retrial::variance::inline sequential
