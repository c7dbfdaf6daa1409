#include "workloads/pipeline/arithmetic/passes.hpp"

#include <algorithm>

#include "workloads/pipeline/arithmetic/kernels.hpp"

namespace retrial::pipeline::inline arithmetic {
namespace {

template <typename Real>
std::span<Real> row_of(std::span<Real> values, std::size_t row, std::int64_t width) {
  const auto size = static_cast<std::size_t>(width);
  return values.subspan(row * size, size);
}

std::size_t weights_of(const Layer& layer) {
  return static_cast<std::size_t>(layer.weights());
}

}  // namespace

template <typename Real>
void forward_pass(const Layer& layer, std::span<const Real> parameters, std::span<const Real> x, std::span<Real> active,
                  std::span<Real> y) {
  const std::size_t rows = y.size() / static_cast<std::size_t>(layer.out);
  for (std::size_t r = 0; r < rows; ++r)
    affine<Real>(parameters.first(weights_of(layer)), parameters.subspan(weights_of(layer)), row_of(x, r, layer.in),
                 row_of(active, r, layer.out));
  if (layer.tanh) tanh_of<Real>(active);
  std::copy(active.begin(), active.end(), y.begin());
  if (layer.residual) add_scaled<Real>(y, Real{1}, x);
}

template <typename Real>
void backward_pass(const Layer& layer, std::span<const Real> parameters, std::span<const Real> active,
                   std::span<Real> delta, std::span<Real> dx) {
  if (layer.residual && !dx.empty()) std::copy(delta.begin(), delta.end(), dx.begin());
  if (layer.tanh)
    for (std::size_t i = 0; i < delta.size(); ++i) delta[i] *= Real{1} - active[i] * active[i];
  if (dx.empty()) return;
  const std::size_t rows = delta.size() / static_cast<std::size_t>(layer.out);
  std::vector<Real> through(static_cast<std::size_t>(layer.in));
  for (std::size_t r = 0; r < rows; ++r) {
    affine_transposed<Real>(parameters.first(weights_of(layer)), row_of(delta, r, layer.out), through);
    const std::span<Real> to = row_of(dx, r, layer.in);
    if (layer.residual)
      add_scaled<Real>(to, Real{1}, through);
    else
      std::copy(through.begin(), through.end(), to.begin());
  }
}

template <typename Real>
void add_gradient(const Layer& layer, std::span<const Real> x, std::span<const Real> delta, std::span<Real> gradient) {
  const std::size_t rows = delta.size() / static_cast<std::size_t>(layer.out);
  for (std::size_t r = 0; r < rows; ++r) {
    add_outer<Real>(row_of(x, r, layer.in), row_of(delta, r, layer.out), gradient.first(weights_of(layer)));
    if (layer.bias) add_scaled<Real>(gradient.subspan(weights_of(layer)), Real{1}, row_of(delta, r, layer.out));
  }
}

#define RETRIAL_INSTANCES(Real)                                                                            \
  template void forward_pass(const Layer&, std::span<const Real>, std::span<const Real>, std::span<Real>,  \
                             std::span<Real>);                                                             \
  template void backward_pass(const Layer&, std::span<const Real>, std::span<const Real>, std::span<Real>, \
                              std::span<Real>);                                                            \
  template void add_gradient(const Layer&, std::span<const Real>, std::span<const Real>, std::span<Real>);
RETRIAL_INSTANCES(float)
RETRIAL_INSTANCES(double)
#undef RETRIAL_INSTANCES

}  // namespace retrial::pipeline::inline arithmetic
