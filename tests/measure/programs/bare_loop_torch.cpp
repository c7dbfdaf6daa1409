#include "tests/measure/programs/bare_loop_torch.hpp"

#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/functional.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <stdexcept>

namespace retrial::bench {
namespace {

namespace nn = torch::nn;

nn::Conv2d conv3(std::int64_t in, std::int64_t out, std::int64_t stride = 1) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, 3).stride(stride).padding(1).bias(false));
}

struct BlockImpl : nn::Module {
  BlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride)
      : conv1(register_module("conv1", conv3(in, out, stride))),
        conv2(register_module("conv2", conv3(out, out))),
        bn1(register_module("bn1", nn::BatchNorm2d(out))),
        bn2(register_module("bn2", nn::BatchNorm2d(out))) {
    if (stride == 1 && in == out) return;
    shortcut = register_module(
        "shortcut",
        nn::Sequential(nn::Conv2d(nn::Conv2dOptions(in, out, 1).stride(stride).bias(false)), nn::BatchNorm2d(out)));
  }
  at::Tensor forward(const at::Tensor& x) {
    const at::Tensor y = bn2(conv2(bn1(conv1(x)).relu()));
    return (y + (shortcut ? shortcut->forward(x) : x)).relu();
  }
  nn::Conv2d conv1, conv2;
  nn::BatchNorm2d bn1, bn2;
  nn::Sequential shortcut = nullptr;
};
TORCH_MODULE(Block);

at::Tensor relu(const at::Tensor& x) {
  return x.relu();
}
at::Tensor pooled_by_two(const at::Tensor& x) {
  return at::max_pool2d(x, 2);
}
at::Tensor flat(const at::Tensor& x) {
  return x.flatten(1);
}
at::Tensor mean_of_maps(const at::Tensor& x) {
  return x.mean({2, 3});
}

nn::Sequential resnet(std::int64_t channels, std::int64_t depth) {
  nn::Sequential net(conv3(channels, 16), nn::BatchNorm2d(16), nn::Functional(relu));
  std::int64_t in = 16;
  for (const std::int64_t out : {16, 32, 64})
    for (std::int64_t block = 0; block < (depth - 2) / 6; ++block) {
      net->push_back(Block(in, out, block == 0 && out != 16 ? 2 : 1));
      in = out;
    }
  net->push_back(nn::Functional(mean_of_maps));
  net->push_back(nn::Linear(64, 10));
  return net;
}

nn::Sequential cnn(std::int64_t channels, std::int64_t w, std::int64_t side) {
  return nn::Sequential(conv3(channels, w), nn::BatchNorm2d(w), nn::Functional(relu), conv3(w, 2 * w),
                        nn::BatchNorm2d(2 * w), nn::Functional(relu), nn::Functional(pooled_by_two),
                        conv3(2 * w, 2 * w), nn::BatchNorm2d(2 * w), nn::Functional(relu),
                        nn::Functional(pooled_by_two), nn::Functional(flat),
                        nn::Linear(2 * w * (side / 4) * (side / 4), 10));
}

nn::Sequential mlp(std::int64_t inputs, std::int64_t hidden) {
  return nn::Sequential(nn::Functional(flat), nn::Linear(inputs, hidden), nn::Functional(relu), nn::Linear(hidden, 10));
}

nn::Sequential network(const std::string& name, std::int64_t channels, std::int64_t side) {
  if (name.starts_with("mlp:")) return mlp(channels * side * side, std::stoll(name.substr(4)));
  if (name.starts_with("cnn")) return cnn(channels, std::stoll(name.substr(3)), side);
  if (name.starts_with("resnet") && name.ends_with("b")) return resnet(channels, std::stoll(name.substr(6)));
  throw std::invalid_argument("no bare network " + name);
}

}  // namespace

struct BareLoop::State {
  nn::Sequential net;
  at::Tensor images, labels;
  std::int64_t batch;
  torch::optim::SGD optimiser;
};

BareLoop::BareLoop(const std::string& model, at::Tensor images, at::Tensor labels, std::int64_t batch) {
  nn::Sequential net = network(model, images.size(1), images.size(2));
  torch::optim::SGD optimiser(net->parameters(),
                              torch::optim::SGDOptions(.05).momentum(.9).weight_decay(5e-4).nesterov(true));
  state_.reset(new State{net, std::move(images), std::move(labels), batch, std::move(optimiser)});
}

BareLoop::~BareLoop() = default;

void BareLoop::epoch() {
  const std::int64_t rows = state_->images.size(0);
  const at::Tensor order = at::randperm(rows, at::kLong);
  for (std::int64_t first = 0; first < rows; first += state_->batch) {
    const at::Tensor places = order.narrow(0, first, std::min(state_->batch, rows - first));
    state_->optimiser.zero_grad();
    const at::Tensor logits = state_->net->forward(state_->images.index_select(0, places));
    nn::functional::cross_entropy(logits, state_->labels.index_select(0, places)).backward();
    state_->optimiser.step();
  }
}

std::int64_t BareLoop::parameters() const {
  std::int64_t count = 0;
  for (const at::Tensor& tensor : state_->net->parameters()) count += tensor.numel();
  return count;
}

}  // namespace retrial::bench
