#include "workloads/pipeline/engine/kernels.hpp"

#include <algorithm>

#include "workloads/pipeline/engine/elementary.hpp"

namespace retrial::pipeline::inline engine {
namespace {

constexpr std::size_t lanes = 8;

template <typename Real>
Real dot(const Real* a, const Real* b, std::size_t count) {
  Real sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += a[i + l] * b[i + l];
  for (std::size_t l = 0; i + l < count; ++l) sums[l] += a[i + l] * b[i + l];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

}  // namespace

template <typename Real>
void affine(std::span<const Real> weights, std::span<const Real> bias, std::span<const Real> x, std::span<Real> y) {
  const std::size_t out = y.size();
  if (bias.empty()) std::fill(y.begin(), y.end(), Real{0});
  std::copy(bias.begin(), bias.end(), y.begin());
  Real* __restrict to = y.data();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real* __restrict row = weights.data() + i * out;
    const Real factor = x[i];
    for (std::size_t j = 0; j < out; ++j) to[j] += factor * row[j];
  }
}

template <typename Real>
void affine_transposed(std::span<const Real> weights, std::span<const Real> y, std::span<Real> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = dot(weights.data() + i * y.size(), y.data(), y.size());
}

template <typename Real>
void add_outer(std::span<const Real> x, std::span<const Real> y, std::span<Real> to) {
  const std::size_t out = y.size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    Real* __restrict row = to.data() + i * out;
    const Real* __restrict from = y.data();
    const Real factor = x[i];
    for (std::size_t j = 0; j < out; ++j) row[j] += factor * from[j];
  }
}

template <typename Real>
void add_scaled(std::span<Real> to, Real factor, std::span<const Real> from) {
  Real* __restrict t = to.data();
  const Real* __restrict f = from.data();
  for (std::size_t i = 0; i < to.size(); ++i) t[i] += factor * f[i];
}

template <typename Real>
void apply_update(std::span<Real> weights, std::span<Real> velocity, std::span<const Real> gradient, double momentum,
                  double lr, const SpikeCoefficients& spike) {
  Real* __restrict w = weights.data();
  Real* __restrict v = velocity.data();
  const Real* __restrict g = gradient.data();
  const auto m = static_cast<Real>(momentum), rate = static_cast<Real>(lr), a = static_cast<Real>(spike.a),
             b = static_cast<Real>(spike.b);
  const std::size_t count = weights.size();
  if (spike.a == 1 && spike.b == 0) {  // no product with 0, so that the bits are those of plain momentum
    for (std::size_t i = 0; i < count; ++i) v[i] = m * v[i] + g[i], w[i] -= rate * v[i];
    return;
  }
  for (std::size_t i = 0; i < count; ++i) v[i] = m * v[i] + g[i], w[i] -= rate * (a * v[i] + b * g[i]);
}

template <typename Real>
void tanh_of(std::span<Real> values) {
  for (Real& value : values) value = static_cast<Real>(portable_tanh(static_cast<double>(value)));
}

#define RETRIAL_INSTANCES(Real)                                                                               \
  template void affine(std::span<const Real>, std::span<const Real>, std::span<const Real>, std::span<Real>); \
  template void affine_transposed(std::span<const Real>, std::span<const Real>, std::span<Real>);             \
  template void add_outer(std::span<const Real>, std::span<const Real>, std::span<Real>);                     \
  template void add_scaled(std::span<Real>, Real, std::span<const Real>);                                     \
  template void apply_update(std::span<Real>, std::span<Real>, std::span<const Real>, double, double,         \
                             const SpikeCoefficients&);                                                       \
  template void tanh_of(std::span<Real>);
RETRIAL_INSTANCES(float)
RETRIAL_INSTANCES(double)
#undef RETRIAL_INSTANCES

}  // namespace retrial::pipeline::inline engine
