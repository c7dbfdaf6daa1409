#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tanh.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

#include "workloads/pipeline/engine/stage_math.hpp"

namespace retrial::pipeline::inline libtorch {
namespace {

/// Numbers of the engine as a tensor that does not own them.
template <typename Real>
at::Tensor view_of(std::span<const Real> values, at::IntArrayRef sizes) {
  return at::from_blob(const_cast<Real*>(values.data()), sizes, sizeof(Real) == 4 ? at::kFloat : at::kDouble);
}

/// Tensors over the parameters of a layer: weights, then those of bias, scales and shifts that it has.
template <typename Real>
std::vector<at::Tensor> tensors_of(const Layer& layer, std::span<const Real> values) {
  std::vector<at::Tensor> made;
  std::size_t from = 0;
  const auto add = [&](std::initializer_list<std::int64_t> sizes) {
    const auto count = static_cast<std::size_t>(c10::multiply_integers(sizes));
    made.push_back(view_of(values.subspan(from, count), sizes));
    from += count;
  };
  if (layer.maps > 0)
    add({layer.maps, layer.channels, 3, 3});
  else
    add({layer.columns(), layer.rows()});
  if (layer.bias) add({layer.rows()});
  if (layer.groups > 0) add({layer.rows()}), add({layer.rows()});
  return made;
}

/// The active values of a layer.
at::Tensor function_of(const Layer& layer, const at::Tensor& x, const std::vector<at::Tensor>& parameters) {
  constexpr double eps = 1e-5;
  const at::Tensor &weight = parameters[0], bias = layer.bias ? parameters[1] : at::Tensor();
  at::Tensor y;
  if (layer.maps > 0) {
    y = at::conv2d(x, weight, bias, layer.stride, 1);
  } else {
    const at::Tensor values = layer.channels > 0 ? x.mean(at::IntArrayRef{2, 3}) : x;
    y = layer.bias ? at::addmm(bias, values, weight) : values.mm(weight);
  }
  if (layer.groups > 0) y = at::group_norm(y, layer.groups, *(parameters.end() - 2), parameters.back(), eps);
  return layer.maps > 0 ? y.relu() : layer.tanh ? y.tanh() : y;
}

template <typename Real>
void add_to(std::span<Real> to, const at::Tensor& values) {
  const at::Tensor rows = values.contiguous();
  const Real* from = rows.const_data_ptr<Real>();
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

/// The graph of one forward. Its leaves are the input of the stage, which cuts it off the stage before, and parameters
/// that share the memory of those of the engine.
struct StageGraph final : Graph {
  at::Tensor input, output;
  std::vector<at::Tensor> parameters;
};

template <typename Real>
class TorchMath final : public StageMath<Real> {
  void forward(const Layer& layer, std::span<const Real> parameters, const Item<Real>& x, Kept<Real>& kept,
               Item<Real>& y) const override {
    const at::AutoGradMode with_graph(true);
    auto graph = std::make_unique<StageGraph>();
    const auto rows = static_cast<std::int64_t>(x.size()) / layer.in;
    graph->input = layer.channels > 0 ? view_of<Real>(x, {rows, layer.channels, layer.height, layer.width})
                                      : view_of<Real>(x, {rows, layer.in});
    graph->input.requires_grad_();
    graph->parameters = tensors_of(layer, parameters);
    for (at::Tensor& parameter : graph->parameters) parameter.requires_grad_();
    graph->output = function_of(layer, graph->input, graph->parameters);
    std::fill(y.begin(), y.end(), Real{0});
    if (layer.residual) y = x;
    add_to<Real>(y, graph->output.detach());
    kept.graph = std::move(graph);
  }

  /// autograd reads the data that a saved leaf has by then: that of the weights of the backward, whichever they are
  /// (tests/workloads/pipeline/libtorch/written_weights_torch_tests.cpp).
  void backward(const Layer& layer, std::span<const Real> parameters, const Item<Real>&, Kept<Real>& kept,
                Item<Real>& delta, Item<Real>& dx, std::span<Real> gradient) const override {
    auto& graph = static_cast<StageGraph&>(*kept.graph);
    const std::vector<at::Tensor> now = tensors_of(layer, parameters);
    for (std::size_t i = 0; i < now.size(); ++i) graph.parameters[i].set_data(now[i]);
    std::vector<at::Tensor> leaves = graph.parameters;
    if (!dx.empty()) leaves.push_back(graph.input);
    const std::vector<at::Tensor> gradients =
        torch::autograd::grad({graph.output}, leaves, {view_of<Real>(delta, graph.output.sizes())});
    std::size_t from = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto count = static_cast<std::size_t>(now[i].numel());
      add_to(gradient.subspan(from, count), gradients[i]);
      from += count;
    }
    if (!dx.empty()) {
      std::fill(dx.begin(), dx.end(), Real{0});
      if (layer.residual) dx = delta;
      add_to<Real>(dx, gradients.back());
    }
    kept.graph.reset();
  }

  [[nodiscard]] bool rebuilds() const override { return true; }
};

const TorchMath<float> of_float;
const TorchMath<double> of_double;
const RegisterTorchMath registered{of_float, of_double, at::get_num_threads};

}  // namespace
}  // namespace retrial::pipeline::inline libtorch
