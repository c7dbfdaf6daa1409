#pragma once

#include <cstddef>
#include <span>

#include "workloads/pipeline/arithmetic/spike.hpp"

/// The inner loops, on float or double. Every sum has one order, for all compilers, instruction sets and threads.
/// A matrix of `in` inputs and `out` outputs is stored input by input: element (output j, input i) at i * out + j.
namespace retrial::pipeline::inline arithmetic {

/// y[j] = ((bias[j] + w(j, 0) x[0]) + w(j, 1) x[1]) + ...; an empty bias is 0.
template <typename Real>
void affine(std::span<const Real> weights, std::span<const Real> bias, std::span<const Real> x, std::span<Real> y);
/// x[i] = sum over j of w(j, i) y[j]: terms j, j + 8, ... in one lane, the eight lanes added in pairs.
template <typename Real>
void affine_transposed(std::span<const Real> weights, std::span<const Real> y, std::span<Real> x);
/// to(j, i) += y[j] x[i].
template <typename Real>
void add_outer(std::span<const Real> x, std::span<const Real> y, std::span<Real> to);
/// to[i] += factor * from[i].
template <typename Real>
void add_scaled(std::span<Real> to, Real factor, std::span<const Real> from);
/// Momentum, then the update: v = m v + g; w -= lr (a v + b g), or w -= lr v for a = 1 and b = 0.
template <typename Real>
void apply_update(std::span<Real> weights, std::span<Real> velocity, std::span<const Real> gradient, double momentum,
                  double lr, const SpikeCoefficients& spike = {});
template <typename Real>
void tanh_of(std::span<Real> values);

/// Linear weight prediction over `horizon` updates (Kosson et al.): w - lr H v, and w + H (w - w_before), where
/// w_before are the weights one update earlier. Equal in exact arithmetic for plain momentum at a constant rate.
template <typename Real>
void predict_velocity(std::span<const Real> weights, std::span<const Real> velocity, double lr, double horizon,
                      std::span<Real> to);
template <typename Real>
void predict_difference(std::span<const Real> weights, std::span<const Real> before, double horizon,
                        std::span<Real> to);

}  // namespace retrial::pipeline::inline arithmetic
