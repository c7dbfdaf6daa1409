#pragma once

#include <span>

#include "workloads/pipeline/arithmetic/network.hpp"

/// Forward and backward of one layer on a micro-batch of rows, row by row.
namespace retrial::pipeline::inline arithmetic {

/// `active` receives f(W x + b), `y` the output of the layer; both of rows x out.
template <typename Real>
void forward_pass(const Layer& layer, std::span<const Real> parameters, std::span<const Real> x, std::span<Real> active,
                  std::span<Real> y);

/// `delta` holds dL/dy and becomes dL/d(W x + b); `dx`, unless it is empty, receives dL/dx through the weights given.
template <typename Real>
void backward_pass(const Layer& layer, std::span<const Real> parameters, std::span<const Real> active,
                   std::span<Real> delta, std::span<Real> dx);

/// Adds the gradient of the parameters.
template <typename Real>
void add_gradient(const Layer& layer, std::span<const Real> x, std::span<const Real> delta, std::span<Real> gradient);

}  // namespace retrial::pipeline::inline arithmetic
