#include "workloads/pipeline/arithmetic/kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "workloads/pipeline/arithmetic/elementary.hpp"

namespace retrial::pipeline::inline arithmetic {
namespace {

// Compiled once more for wider vectors, which are chosen at the start of the program. Each lane does the operations of
// the narrow code in their order (no fused multiply-add), so the bits are equal.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define RETRIAL_WIDE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define RETRIAL_WIDE
#endif

constexpr std::size_t lanes = 8;

template <typename Real>
inline __attribute__((always_inline)) Real dot(const Real* a, const Real* b, std::size_t count) {
  Real sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += a[i + l] * b[i + l];
  for (std::size_t l = 0; i + l < count; ++l) sums[l] += a[i + l] * b[i + l];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/// portable_tanh of several numbers, with the operations of portable_exp in their order and so in their bits. One after
/// the other they wait for their divisions, which is most of the time of a training.
template <std::size_t count, typename Real>
inline __attribute__((always_inline)) void tanh_lanes(Real* values) {
  constexpr double per_log2 = 0x1.71547652b82fep+0, log2_high = 0x1.62e42fee00000p-1, log2_low = 0x1.a39ef35793c76p-33;
  constexpr double farthest = 354;  // beyond, tanh is 1
  double x[count], r[count], sum[count], power[count];
  for (std::size_t l = 0; l < count; ++l) {
    x[l] = static_cast<double>(values[l]);
    const double size = std::fabs(x[l]) < farthest ? std::fabs(x[l]) : farthest;
    const double y = -2.0 * size, nearest = y * per_log2 + 0.5;
    const double toward_zero = static_cast<double>(static_cast<std::int32_t>(nearest));
    const double k = toward_zero > nearest ? toward_zero - 1.0 : toward_zero;
    r[l] = (y - k * log2_high) - k * log2_low;
    power[l] = std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int32_t>(k) + 1023) << 52);
    sum[l] = 1.0;
  }
#pragma GCC unroll 13  // divisions by powers of 2 are products then
  for (int k = 13; k > 0; --k)
    for (std::size_t l = 0; l < count; ++l) sum[l] = 1.0 + r[l] * sum[l] / k;
  for (std::size_t l = 0; l < count; ++l) {
    const double u = sum[l] * power[l], square = x[l] * x[l];
    const double far = std::copysign((1.0 - u) / (1.0 + u), x[l]),
                 near = x[l] * (1.0 - square * (1.0 / 3.0 - square * (2.0 / 15.0)));
    values[l] = static_cast<Real>(std::fabs(x[l]) >= 0x1p-10 ? far : near);  // near for NaN
  }
}

}  // namespace

template <typename Real>
RETRIAL_WIDE void affine(std::span<const Real> weights, std::span<const Real> bias, std::span<const Real> x,
                         std::span<Real> y) {
  constexpr std::size_t block = 32;  // outputs whose sums stay in registers
  if (bias.empty()) std::fill(y.begin(), y.end(), Real{0});
  std::copy(bias.begin(), bias.end(), y.begin());
  for (std::size_t from = 0; from < y.size(); from += block) {
    const Real* __restrict row = weights.data() + from;
    Real* __restrict to = y.data() + from;
    const std::size_t count = std::min(block, y.size() - from);
    if (count == block) {
      Real sums[block];
      for (std::size_t j = 0; j < block; ++j) sums[j] = to[j];
      for (std::size_t i = 0; i < x.size(); ++i, row += y.size())
        for (std::size_t j = 0; j < block; ++j) sums[j] += x[i] * row[j];
      for (std::size_t j = 0; j < block; ++j) to[j] = sums[j];
    } else {
      for (std::size_t i = 0; i < x.size(); ++i, row += y.size())
        for (std::size_t j = 0; j < count; ++j) to[j] += x[i] * row[j];
    }
  }
}

template <typename Real>
RETRIAL_WIDE void affine_transposed(std::span<const Real> weights, std::span<const Real> y, std::span<Real> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = dot(weights.data() + i * y.size(), y.data(), y.size());
}

template <typename Real>
RETRIAL_WIDE void add_outer(std::span<const Real> x, std::span<const Real> y, std::span<Real> to) {
  const std::size_t out = y.size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    Real* __restrict row = to.data() + i * out;
    const Real* __restrict from = y.data();
    const Real factor = x[i];
    for (std::size_t j = 0; j < out; ++j) row[j] += factor * from[j];
  }
}

template <typename Real>
RETRIAL_WIDE void add_scaled(std::span<Real> to, Real factor, std::span<const Real> from) {
  Real* __restrict t = to.data();
  const Real* __restrict f = from.data();
  for (std::size_t i = 0; i < to.size(); ++i) t[i] += factor * f[i];
}

template <typename Real>
RETRIAL_WIDE void apply_update(std::span<Real> weights, std::span<Real> velocity, std::span<const Real> gradient,
                               double momentum, double lr, const SpikeCoefficients& spike) {
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
RETRIAL_WIDE void tanh_of(std::span<Real> values) {
  std::size_t i = 0;
  for (; i + 32 <= values.size(); i += 32) tanh_lanes<32>(values.data() + i);
  for (; i + lanes <= values.size(); i += lanes) tanh_lanes<lanes>(values.data() + i);
  for (; i < values.size(); ++i) values[i] = static_cast<Real>(portable_tanh(static_cast<double>(values[i])));
}

template <typename Real>
RETRIAL_WIDE void predict_velocity(std::span<const Real> weights, std::span<const Real> velocity, double lr,
                                   double horizon, std::span<Real> to) {
  const Real* __restrict w = weights.data();
  const Real* __restrict v = velocity.data();
  Real* __restrict t = to.data();
  const auto step = static_cast<Real>(lr * horizon);
  for (std::size_t i = 0; i < to.size(); ++i) t[i] = w[i] - step * v[i];
}

template <typename Real>
RETRIAL_WIDE void predict_difference(std::span<const Real> weights, std::span<const Real> before, double horizon,
                                     std::span<Real> to) {
  const Real* __restrict w = weights.data();
  const Real* __restrict b = before.data();
  Real* __restrict t = to.data();
  const auto steps = static_cast<Real>(horizon);
  for (std::size_t i = 0; i < to.size(); ++i) t[i] = w[i] + steps * (w[i] - b[i]);
}

#define RETRIAL_INSTANCES(Real)                                                                                  \
  template void affine(std::span<const Real>, std::span<const Real>, std::span<const Real>, std::span<Real>);    \
  template void affine_transposed(std::span<const Real>, std::span<const Real>, std::span<Real>);                \
  template void add_outer(std::span<const Real>, std::span<const Real>, std::span<Real>);                        \
  template void add_scaled(std::span<Real>, Real, std::span<const Real>);                                        \
  template void apply_update(std::span<Real>, std::span<Real>, std::span<const Real>, double, double,            \
                             const SpikeCoefficients&);                                                          \
  template void tanh_of(std::span<Real>);                                                                        \
  template void predict_velocity(std::span<const Real>, std::span<const Real>, double, double, std::span<Real>); \
  template void predict_difference(std::span<const Real>, std::span<const Real>, double, std::span<Real>);
RETRIAL_INSTANCES(float)
RETRIAL_INSTANCES(double)
#undef RETRIAL_INSTANCES

}  // namespace retrial::pipeline::inline arithmetic
