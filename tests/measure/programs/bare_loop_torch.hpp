#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>

/// The peer of target 3: training as a user of LibTorch writes it, with torch::nn modules, autograd and
/// torch::optim::SGD on images that are one tensor in memory.
namespace retrial::bench {

class BareLoop {
 public:
  /// `model`: mlp:H, cnnW or resnetDb, with the layers and sizes of workloads/nn. Throws std::invalid_argument for
  /// another.
  BareLoop(const std::string& model, at::Tensor images, at::Tensor labels, std::int64_t batch);
  ~BareLoop();
  /// One pass over all images in a new order.
  void epoch();
  [[nodiscard]] std::int64_t parameters() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace retrial::bench
