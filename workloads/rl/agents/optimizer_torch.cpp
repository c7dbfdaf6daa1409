#include "workloads/rl/agents/optimizer_torch.hpp"

#include <cmath>

#include "workloads/nn/protocol/adaptive.hpp"
#include "workloads/nn/training/optimizer_torch.hpp"
#include "workloads/profiler/rules/health_watch.hpp"

namespace retrial::rl::inline agents {

AdaptiveOptimizer::AdaptiveOptimizer(nn::NamedTensors trained, Rule rule, double epsilon)
    : trained_(std::move(trained)), rule_(rule), epsilon_(epsilon) {
  for (const auto& [name, tensor] : trained_) {
    const auto elements = static_cast<std::size_t>(tensor.numel());
    first_.emplace_back(rule_ == Rule::adam ? elements : 0);
    second_.emplace_back(elements);
  }
}

double AdaptiveOptimizer::step(double rate, double max_norm) {
  std::vector<at::Tensor> gradients;
  double squares = 0;
  for (const auto& [name, tensor] : trained_) {
    gradients.push_back(nn::taken_gradient(tensor));
    if (!gradients.back().defined()) continue;
    for (const float slope : nn::floats_of(gradients.back())) squares += static_cast<double>(slope) * slope;
  }
  const double norm = std::sqrt(squares);
  const auto factor = static_cast<float>(max_norm / (norm + 1e-6));
  ++steps_;
  last_rate_ = rate;
  profiler::HealthWatch* const watch = profiler::watch_of_step();
  for (std::size_t i = 0; i < trained_.size(); ++i) {
    if (!gradients[i].defined()) continue;
    const auto slopes = nn::floats_of(gradients[i]), weights = nn::floats_of(trained_[i].second);
    if (watch != nullptr) watch->updating(trained_[i].first, weights);
    if (max_norm > 0 && factor < 1)
      for (float& slope : slopes) slope *= factor;
    if (rule_ == Rule::adam)
      nn::adam_step(weights, slopes, first_[i], second_[i], steps_, rate, epsilon_);
    else
      nn::rmsprop_step(weights, slopes, second_[i], rate, epsilon_);
    if (watch != nullptr) watch->updated(trained_[i].first, slopes, weights);
  }
  return norm;
}

void AdaptiveOptimizer::save(nn::StateWriter& to) const {
  to.number("steps", static_cast<std::uint64_t>(steps_));
  for (const auto* moments : {&first_, &second_})
    for (const auto& values : *moments) to.bytes("moments", std::as_bytes(std::span(values)));
}

void AdaptiveOptimizer::load(nn::StateReader& from) {
  steps_ = static_cast<std::int64_t>(from.number("steps"));
  for (auto* moments : {&first_, &second_})
    for (auto& values : *moments) from.bytes("moments", std::as_writable_bytes(std::span(values)));
}

void drop_gradients(const nn::NamedTensors& tensors) {
  for (const auto& [name, tensor] : tensors) (void)nn::taken_gradient(tensor);
}

}  // namespace retrial::rl::inline agents
