#include "determinism/price/steps.hpp"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>
#include <ATen/record_function.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <map>

#include "determinism/price/layers.hpp"
#include "variance/random/rng.hpp"

namespace retrial::determinism::inline price {
namespace {

std::int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The library takes plain functions. Operators that others call are part of their caller's time: a convolution calls
// aten::empty, so the operators that call none would leave out the convolution.
std::atomic<std::int64_t> in_operators = 0;
thread_local int depth = 0;

struct OpenOperator final : at::ObserverContext {
  std::int64_t start = 0;
};

std::unique_ptr<at::ObserverContext> operator_starts(const at::RecordFunction&) {
  auto open = std::make_unique<OpenOperator>();
  if (depth++ == 0) open->start = steady_ns();
  return open;
}

void operator_ends(const at::RecordFunction&, at::ObserverContext* context) {
  if (--depth == 0) in_operators += steady_ns() - static_cast<OpenOperator*>(context)->start;
}

void observe_kernels(bool on) {
  static at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;
  if (on)
    handle = at::addGlobalCallback(
        at::RecordFunctionCallback(operator_starts, operator_ends).scopes({at::RecordScope::FUNCTION}));
  else
    at::removeCallback(handle);
}

/// The tensors of one layer. Each draws from a key of its own.
class Tensors {
 public:
  Tensors(const std::string& layer, bool on_gpu)
      : key_(variance::derive(variance::fnv1a64(layer), "price")), device_(on_gpu ? at::kCUDA : at::kCPU) {}

  /// Uniform in +-bound.
  at::Tensor drawn(std::vector<std::int64_t> sizes, double bound = 1) {
    at::Tensor out = at::empty(sizes, at::kFloat);
    const auto key = variance::derive(key_, std::to_string(drawn_++));
    float* const to = out.data_ptr<float>();
    for (std::int64_t e = 0; e < out.numel(); ++e)
      to[e] = static_cast<float>(
          variance::uniform(variance::block(key, static_cast<std::uint64_t>(e), 0)[0], -bound, bound));
    return out.to(device_);
  }
  at::Tensor trained(std::vector<std::int64_t> sizes, double bound = 1) { return kept(drawn(std::move(sizes), bound)); }
  at::Tensor trained_ones(std::int64_t count) { return kept(at::ones({count}, device_)); }
  at::Tensor zeros(std::vector<std::int64_t> sizes) { return at::zeros(sizes, device_); }
  /// Whole numbers below `n`, most of them several times.
  at::Tensor places(std::int64_t count, std::int64_t n) {
    at::Tensor out = at::empty({count}, at::kLong);
    const auto key = variance::derive(key_, "places");
    for (std::int64_t e = 0; e < count; ++e)
      out.data_ptr<std::int64_t>()[e] = static_cast<std::int64_t>(
          variance::block(key, static_cast<std::uint64_t>(e), 0)[0] % static_cast<std::uint32_t>(n));
    return out.to(device_);
  }
  /// Their gradients are taken in each step.
  [[nodiscard]] const std::vector<at::Tensor>& with_gradient() const { return with_gradient_; }

 private:
  at::Tensor kept(at::Tensor tensor) {
    tensor.requires_grad_(true);
    with_gradient_.push_back(tensor);
    return tensor;
  }
  std::uint64_t key_;
  at::Device device_;
  int drawn_ = 0;
  std::vector<at::Tensor> with_gradient_;
};

using Forward = std::function<at::Tensor()>;

constexpr std::int64_t channels = 32, side = 16;

Forward convolution(Tensors& of, std::int64_t batch, std::int64_t kernel) {
  const auto x = of.trained({batch, channels, side, side}),
             w = of.trained({channels, channels, kernel, kernel}, 1 / std::sqrt(channels * kernel * kernel));
  return [=] { return at::conv2d(x, w, {}, 1, kernel / 2); };
}

Forward linear(Tensors& of, std::int64_t batch) {
  constexpr std::int64_t width = 512;
  const auto x = of.trained({batch, width}), w = of.trained({width, width}, 1 / std::sqrt(width)),
             b = of.trained({width});
  return [=] { return at::linear(x, w, b); };
}

Forward batch_norm(Tensors& of, std::int64_t batch) {
  const auto x = of.trained({batch, channels, side, side}), w = of.trained_ones(channels), b = of.trained({channels}),
             mean = of.zeros({channels}), var = of.zeros({channels});
  return [=] { return at::batch_norm(x, w, b, mean, var, true, .1, 1e-5, true); };
}

Forward max_pool(Tensors& of, std::int64_t batch) {
  const auto x = of.trained({batch, channels, side, side});
  return [=] { return at::max_pool2d(x, 2, 2); };
}

constexpr std::int64_t rows_per_image = 2048, targets = 1000, columns = 16;

Forward index_add(Tensors& of, std::int64_t batch) {
  const auto rows = of.trained({batch * rows_per_image, columns}), sums = of.zeros({targets, columns}),
             places = of.places(batch * rows_per_image, targets);
  return [=] { return at::index_add(sums, 0, places, rows); };
}

Forward indexing(Tensors& of, std::int64_t batch) {
  const auto table = of.trained({targets, columns}), places = of.places(batch * rows_per_image, targets);
  return [=] { return table.index({places}); };
}

Forward attention(Tensors& of, std::int64_t batch) {
  constexpr std::int64_t heads = 4, length = 64, width = 32;
  const auto q = of.trained({batch, heads, length, width}), k = of.trained({batch, heads, length, width}),
             v = of.trained({batch, heads, length, width});
  return [=] { return at::scaled_dot_product_attention(q, k, v); };
}

struct Block {
  at::Tensor weight, bias, scale, shift, mean, variance;
};

/// Convolutions, each followed by batch norm where `normed`, ReLU and a 2x2 max-pool; global average; dense layers.
Forward network(Tensors& of, std::int64_t batch, std::vector<std::int64_t> widths, std::int64_t kernel, bool normed,
                std::vector<std::int64_t> dense) {
  constexpr std::int64_t image_side = 32;
  std::int64_t from = 3;
  const auto x = of.drawn({batch, from, image_side, image_side});
  std::vector<Block> blocks;
  for (const std::int64_t width : widths) {
    const double bound = std::sqrt(6.0 / static_cast<double>(from * kernel * kernel));
    blocks.push_back({.weight = of.trained({width, from, kernel, kernel}, bound), .bias = of.trained({width}, .1)});
    if (normed) {
      blocks.back().scale = of.trained_ones(width);
      blocks.back().shift = of.trained({width}, .1);
      blocks.back().mean = of.zeros({width});
      blocks.back().variance = of.zeros({width});
    }
    from = width;
  }
  std::vector<std::pair<at::Tensor, at::Tensor>> layers;
  for (const std::int64_t width : dense) {
    layers.emplace_back(of.trained({width, from}, 1 / std::sqrt(static_cast<double>(from))), of.trained({width}, .1));
    from = width;
  }
  const auto labels = of.places(batch, from);
  return [=] {
    at::Tensor y = x;
    for (const Block& block : blocks) {
      y = at::conv2d(y, block.weight, block.bias, 1, kernel / 2);
      if (normed) y = at::batch_norm(y, block.scale, block.shift, block.mean, block.variance, true, .1, 1e-5, true);
      y = at::max_pool2d(at::relu(y), 2, 2, 0, 1, true);  // ceil: the last map of MediumCNN is 1x1
    }
    y = y.mean({2, 3});
    for (std::size_t i = 0; i < layers.size(); ++i) {
      y = at::linear(y, layers[i].first, layers[i].second);
      if (i + 1 < layers.size()) y = at::relu(y);
    }
    return at::cross_entropy_loss(y, labels);
  };
}

Forward forward_of(const PricedLayer& layer, std::int64_t batch, Tensors& of) {
  using Make = Forward (*)(Tensors&, std::int64_t);
  static const std::map<std::string, Make> without_kernel{{"linear", linear},     {"batch_norm", batch_norm},
                                                          {"max_pool", max_pool}, {"index_add", index_add},
                                                          {"indexing", indexing}, {"attention", attention}};
  if (const auto found = without_kernel.find(layer.name); found != without_kernel.end())
    return found->second(of, batch);
  if (layer.name == "smallcnn") return network(of, batch, {16, 32, 32}, 3, false, {32, 10});
  if (layer.name.starts_with("mediumcnn"))
    return network(of, batch, {16, 32, 64, 128, 256, 512}, layer.kernel, true, {1000});
  return convolution(of, batch, layer.kernel);
}

void wait_for_gpu() {
  at::detail::getCUDAHooks().deviceSynchronize(0);  // the only one that this process sees
}

}  // namespace

void set_fill(bool on) {
  at::globalContext().setDeterministicFillUninitializedMemory(on);
}

PriceClocks price_clocks(bool on_gpu) {
  if (on_gpu)
    return {.wall =
                [] {
                  wait_for_gpu();
                  return steady_ns();
                },
            .observe = {},
            .no_kernel_times = "times of kernels on a GPU are not recorded yet"};
  return {.wall = steady_ns, .observe = observe_kernels, .kernels = [] { return in_operators.load(); }};
}

StepTimes time_layer(const PriceOrder& order, bool on_gpu) {
  Tensors tensors(order.layer, on_gpu);
  const Forward forward = forward_of(priced_layer(order.layer, "price"), order.batch, tensors);
  const at::Tensor gradient = tensors.drawn(forward().sizes().vec());
  StepClock clock(order, price_clocks(on_gpu));
  std::int64_t done = 0;
  do {
    forward().backward(gradient);
    for (const at::Tensor& tensor : tensors.with_gradient()) tensor.mutable_grad() = at::Tensor();
  } while (!clock.at(++done));
  return clock.times();
}

}  // namespace retrial::determinism::inline price
