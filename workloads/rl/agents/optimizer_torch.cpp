#include "workloads/rl/agents/optimizer_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "workloads/nn/gpu/kernels.hpp"
#include "workloads/nn/protocol/adaptive.hpp"
#include "workloads/nn/training/training_torch.hpp"
#include "workloads/profiler/rules/health_watch.hpp"

namespace retrial::rl::inline agents {

namespace {

/// In double, in the order of the elements; on a GPU in the order of its own sum.
double sum_of_squares(const at::Tensor& gradient) {
  if (!gradient.is_cpu()) return gradient.to(at::kDouble).square().sum().item().toDouble();
  double squares = 0;
  for (const float slope : nn::floats_of(gradient)) squares += static_cast<double>(slope) * slope;
  return squares;
}

}  // namespace

AdaptiveOptimizer::AdaptiveOptimizer(nn::NamedTensors trained, Rule rule, double epsilon, bool on_host)
    : trained_(std::move(trained)), rule_(rule), epsilon_(epsilon), on_host_(on_host) {
  for (const auto& [name, tensor] : trained_) {
    const at::Tensor still = at::zeros_like(on_host_ ? nn::on_host(tensor.detach()) : tensor.detach());
    first_.push_back(rule_ == Rule::adam ? still : at::Tensor());
    second_.push_back(still.clone());
  }
}

double AdaptiveOptimizer::step(double rate, double max_norm) {
  std::vector<at::Tensor> gradients;
  double squares = 0;
  for (const auto& [name, tensor] : trained_) {
    gradients.push_back(nn::taken_gradient(tensor));
    if (gradients.back().defined()) squares += sum_of_squares(gradients.back());
  }
  const double norm = std::sqrt(squares);
  const auto factor = static_cast<float>(max_norm / (norm + 1e-6));
  const float scale = max_norm > 0 && factor < 1 ? factor : 1;
  ++steps_;
  last_rate_ = rate;
  profiler::HealthWatch* const watch = profiler::watch_of_step();
  for (std::size_t i = 0; i < trained_.size() && watch != nullptr; ++i)
    if (gradients[i].defined()) watch->updating(trained_[i].first, nn::floats_of(nn::on_host(trained_[i].second)));
  for (std::size_t i = 0; i < trained_.size(); ++i)
    if (gradients[i].defined() && second_[i].is_cpu()) move_here(i, gradients[i], scale);
  move_there(gradients, scale);
  for (std::size_t i = 0; i < trained_.size() && watch != nullptr; ++i)
    if (gradients[i].defined()) {
      const at::Tensor slopes = nn::on_host(gradients[i]) * scale;
      watch->updated(trained_[i].first, nn::floats_of(slopes), nn::floats_of(nn::on_host(trained_[i].second)));
    }
  return norm;
}

/// A tensor of the host, or one that is copied to it.
void AdaptiveOptimizer::move_here(std::size_t i, const at::Tensor& gradient, float scale) {
  const at::Tensor &tensor = trained_[i].second, here = nn::on_host(tensor), slopes = nn::on_host(gradient);
  if (rule_ == Rule::adam)
    nn::adam_step(nn::floats_of(here), nn::floats_of(slopes), nn::floats_of(first_[i]), nn::floats_of(second_[i]),
                  steps_, last_rate_, epsilon_, scale);
  else
    nn::rmsprop_step(nn::floats_of(here), nn::floats_of(slopes), nn::floats_of(second_[i]), last_rate_, epsilon_,
                     scale);
  const at::NoGradGuard no_gradient;
  if (!tensor.is_cpu()) tensor.copy_(here);
}

void AdaptiveOptimizer::move_there(const std::vector<at::Tensor>& gradients, float scale) {
  std::vector<determinism::Listed<nn::AdaptiveTensor>> list;
  for (std::size_t i = 0; i < trained_.size(); ++i) {
    if (!gradients[i].defined() || second_[i].is_cpu()) continue;
    list.push_back({{trained_[i].second.data_ptr<float>(), gradients[i].const_data_ptr<float>(),
                     rule_ == Rule::adam ? first_[i].data_ptr<float>() : nullptr, second_[i].data_ptr<float>()},
                    static_cast<std::uint64_t>(second_[i].numel())});
  }
  if (list.empty()) return;
  if (rule_ == Rule::adam)
    nn::device_kernels()->adam(list, nn::adam_numbers(steps_, last_rate_, epsilon_, scale));
  else
    nn::device_kernels()->rmsprop(
        list, {.rate = static_cast<float>(last_rate_), .epsilon = static_cast<float>(epsilon_), .scale = scale});
}

void AdaptiveOptimizer::save(nn::StateWriter& to) const {
  to.number("steps", static_cast<std::uint64_t>(steps_));
  for (const auto* moments : {&first_, &second_})
    for (const at::Tensor& values : *moments)
      values.defined() ? nn::save_tensors(to, {{"moments", values}}) : to.bytes("moments", {});
}

void AdaptiveOptimizer::load(nn::StateReader& from) {
  steps_ = static_cast<std::int64_t>(from.number("steps"));
  for (const auto* moments : {&first_, &second_})
    for (const at::Tensor& values : *moments)
      values.defined() ? nn::load_tensors(from, {{"moments", values}}) : from.bytes("moments", {});
}

void drop_gradients(const nn::NamedTensors& tensors) {
  for (const auto& [name, tensor] : tensors) (void)nn::taken_gradient(tensor);
}

}  // namespace retrial::rl::inline agents
