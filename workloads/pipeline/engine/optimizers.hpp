#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/pipeline/arithmetic/network.hpp"
#include "workloads/pipeline/methods/method.hpp"

namespace retrial::pipeline::inline engine {

/// State of an optimizer for one stage. `direction` is that of the last update: weights moved by -lr * direction.
/// Momentum has no use for it, because its velocity is that direction.
template <typename Real>
struct OptimizerState {
  std::vector<Real> velocity, second, direction;
  [[nodiscard]] const std::vector<Real>& last_direction() const { return direction.empty() ? velocity : direction; }
};

template <typename Real>
[[nodiscard]] OptimizerState<Real> optimizer_state(Optimizer optimizer, std::size_t parameters);

/// Adam (Kingma and Ba 2015) with betas .9 and .999, eps 1e-8, bias-corrected; `update` counts from 0.
template <typename Real>
void adam_step(std::span<Real> weights, OptimizerState<Real>& state, std::span<const Real> gradient, double lr,
               std::int64_t update);

/// Muon: momentum of Nesterov's form, made orthogonal by five rounds of a Newton-Schulz iteration in float (products
/// summed in index order), times sqrt(max(1, rows / columns)). All that is no matrix takes plain momentum.
template <typename Real>
void muon_step(const Layer& layer, std::span<Real> weights, OptimizerState<Real>& state, std::span<const Real> gradient,
               double momentum, double lr);

/// The Newton-Schulz iteration of `muon_step` on a row-major matrix.
[[nodiscard]] std::vector<float> orthogonalized(std::vector<float> matrix, std::size_t rows, std::size_t columns);

}  // namespace retrial::pipeline::inline engine
