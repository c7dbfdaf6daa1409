#include "workloads/pipeline/arithmetic/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/random/portable.hpp"
#include "variance/random/rng.hpp"

namespace retrial::pipeline::inline arithmetic {

double portable_expm1(double x) {
  if (x < -0.35) return variance::portable_exp(x) - 1.0;
  double sum = 1.0;
  for (int k = 16; k > 1; --k) sum = 1.0 + x * sum / k;
  return x * sum;
}

double portable_tanh(double x) {
  const double size = std::fabs(x);
  if (!(size >= 0x1p-10)) {  // NaN too
    const double square = x * x;
    return x * (1.0 - square * (1.0 / 3.0 - square * (2.0 / 15.0)));
  }
  const double u = size > 354.0 ? 0.0 : variance::portable_exp(-2.0 * size);
  return std::copysign((1.0 - u) / (1.0 + u), x);
}

template <typename Real>
double cross_entropy(std::span<const Real> logits, std::size_t label, std::span<Real> delta) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const Real logit : logits) {
    if (!std::isfinite(logit)) return std::numeric_limits<double>::quiet_NaN();
    largest = std::max(largest, static_cast<double>(logit));
  }
  for (const Real logit : logits) sum += variance::portable_exp(static_cast<double>(logit) - largest);
  for (std::size_t c = 0; c < logits.size(); ++c) {
    const double share = variance::portable_exp(static_cast<double>(logits[c]) - largest) / sum;
    delta[c] = static_cast<Real>(c == label ? share - 1.0 : share);
  }
  return variance::log(sum) - (static_cast<double>(logits[label]) - largest);
}

template double cross_entropy(std::span<const float>, std::size_t, std::span<float>);
template double cross_entropy(std::span<const double>, std::size_t, std::span<double>);

}  // namespace retrial::pipeline::inline arithmetic
