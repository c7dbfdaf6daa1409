#pragma once

#include <vector>

#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/nn/shape/state.hpp"

namespace retrial::rl::inline agents {

enum class Rule { adam, rmsprop };

/// Moves tensors by the gradients that they hold, and takes these; those of a GPU in one launch. `on_host`: they are
/// copied to the host one by one, moved there and sent back, as some published optimizers do it, which costs what the
/// key adam_host is for.
class AdaptiveOptimizer {
 public:
  AdaptiveOptimizer(nn::NamedTensors trained, Rule rule, double epsilon, bool on_host = false);

  /// Gradients are shortened so that their common norm is at most max_norm; 0: as they are. Returns that norm.
  double step(double rate, double max_norm = 0);
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] double epsilon() const { return epsilon_; }
  [[nodiscard]] double last_rate() const { return last_rate_; }

  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 private:
  void move_here(std::size_t i, const at::Tensor& gradient, float scale);
  void move_there(const std::vector<at::Tensor>& gradients, float scale);

  nn::NamedTensors trained_;
  Rule rule_;
  double epsilon_, last_rate_ = 0;
  std::int64_t steps_ = 0;
  bool on_host_;
  std::vector<at::Tensor> first_, second_;  ///< like the trained tensors, on their device or on the host
};

/// Forgets gradients that reached tensors which this step does not train.
void drop_gradients(const nn::NamedTensors& tensors);

}  // namespace retrial::rl::inline agents
