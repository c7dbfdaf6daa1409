#include "workloads/nn/training/optimizer_torch.hpp"

#include <ATen/core/Tensor.h>

#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/profiler/rules/health_watch.hpp"

namespace retrial::nn::inline training {
namespace {

class PlainSgd final : public Optimizer {
 public:
  PlainSgd(const NamedTensors& trained, const Sgd& sgd) : Optimizer(trained, 1), sgd_(sgd) {}

  void step(const std::vector<Term>& terms, double rate) override {
    {
      RETRIAL_OPERATION("backward");
      weighted_sum(terms).backward();
    }
    for (std::size_t i = 0; i < trained().size(); ++i) sgd_update(i, taken_gradient(trained()[i].second), rate, sgd_);
  }

 private:
  Sgd sgd_;
};

}  // namespace

std::span<float> floats_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

at::Tensor taken_gradient(const at::Tensor& tensor) {
  if (!tensor.grad().defined()) return {};
  at::Tensor gradient = tensor.grad().contiguous();
  tensor.mutable_grad().reset();
  return gradient;
}

Optimizer::Optimizer(NamedTensors trained, std::size_t velocities) : trained_(std::move(trained)) {
  Velocity still;
  for (const auto& [name, tensor] : trained_) still.emplace_back(tensor.numel(), 0.0F);
  velocities_.assign(velocities, still);
}

void Optimizer::sgd_update(std::size_t i, const at::Tensor& gradient, double rate, const Sgd& sgd) {
  if (!gradient.defined()) return;
  const auto& [name, tensor] = trained_[i];
  profiler::HealthWatch* const watch = profiler::watch_of_step();
  if (watch != nullptr) watch->updating(name, floats_of(tensor));
  sgd_step(floats_of(tensor), floats_of(gradient), velocities_.front()[i], rate, sgd);
  if (watch != nullptr) watch->updated(name, floats_of(gradient), floats_of(tensor));
}

std::unique_ptr<Optimizer> sgd_optimizer(const NamedTensors& trained, const Sgd& sgd) {
  return std::make_unique<PlainSgd>(trained, sgd);
}

}  // namespace retrial::nn::inline training
