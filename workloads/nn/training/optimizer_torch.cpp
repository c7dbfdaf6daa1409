#include "workloads/nn/training/optimizer_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>

#include <bit>

#include "workloads/nn/gpu/kernels.hpp"
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
    std::vector<at::Tensor> gradients;
    for (const auto& [name, tensor] : trained()) gradients.push_back(taken_gradient(tensor));
    sgd_update(gradients, rate, sgd_);
    clear_masked();
  }

 private:
  Sgd sgd_;
};

/// By multiplication a NaN would survive. Bits of the width of a float: a comparison with bytes is not vectorised and
/// took a tenth of a step of a small network.
void clear(std::span<float> values, const at::Tensor& mask) {
  float* const at = values.data();
  const auto* const bits = mask.const_data_ptr<std::int32_t>();
  for (std::size_t e = 0; e < values.size(); ++e)
    at[e] = std::bit_cast<float>(std::bit_cast<std::int32_t>(at[e]) & bits[e]);
}

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
  for (std::size_t v = 0; v < velocities; ++v) {
    Velocity& still = velocities_.emplace_back();
    for (const auto& [name, tensor] : trained_) still.push_back(at::zeros_like(tensor.detach()));
  }
  if (!is_on_host()) rate_ = at::empty({1}, trained_.front().second.options().requires_grad(false)).fill_(rate_set_);
}

bool Optimizer::is_on_host() const {
  return trained_.empty() || trained_.front().second.is_cpu();
}

void Optimizer::hold_at_zero(const std::vector<std::vector<std::uint8_t>>& masks) {
  masks_.clear();
  for (std::size_t i = 0; i < masks.size(); ++i) {
    at::Tensor& bits = masks_.emplace_back();
    if (masks[i].empty()) continue;
    bits = at::empty({static_cast<std::int64_t>(masks[i].size())}, at::kInt);
    for (std::size_t e = 0; e < masks[i].size(); ++e) bits.data_ptr<std::int32_t>()[e] = masks[i][e] != 0 ? -1 : 0;
    const at::NoGradGuard no_gradient;
    const at::Tensor& tensor = trained_[i].second;
    bits = on(tensor.device(), bits);
    const at::Tensor gone = (bits == 0).view(tensor.sizes());
    tensor.masked_fill_(gone, 0);
    for (const Velocity& velocity : velocities_) velocity[i].masked_fill_(gone, 0);
  }
}

void Optimizer::clear_masked() {
  for (std::size_t i = 0; i < masks_.size() && is_on_host(); ++i) {
    if (!masks_[i].defined()) continue;
    clear(floats_of(trained_[i].second), masks_[i]);
    for (const Velocity& velocity : velocities_) clear(floats_of(velocity[i]), masks_[i]);
  }
}

UpdateControl Optimizer::control(double rate) {
  if (rate != rate_set_) rate_.fill_(rate_set_ = rate);
  return {.rate = rate_.const_data_ptr<float>(), .proceed = proceed_};
}

const std::uint32_t* Optimizer::live(std::size_t i) const {
  if (i >= masks_.size() || !masks_[i].defined()) return nullptr;
  return static_cast<const std::uint32_t*>(masks_[i].const_data_ptr());
}

void Optimizer::sgd_update(const std::vector<at::Tensor>& gradients, double rate, const Sgd& sgd) {
  std::vector<std::size_t> reached;
  for (std::size_t i = 0; i < trained_.size(); ++i)
    if (gradients[i].defined()) reached.push_back(i);
  profiler::HealthWatch* const watch = profiler::watch_of_step();
  if (watch != nullptr)
    for (const std::size_t i : reached) watch->updating(trained_[i].first, floats_of(on_host(trained_[i].second)));
  std::vector<determinism::Listed<SgdTensor>> list;
  for (const std::size_t i : reached) {
    const at::Tensor &tensor = trained_[i].second, &velocity = velocities_.front()[i];
    if (is_on_host())
      sgd_step(floats_of(tensor), floats_of(gradients[i]), floats_of(velocity), rate, sgd);
    else
      list.push_back(
          {{tensor.data_ptr<float>(), gradients[i].const_data_ptr<float>(), velocity.data_ptr<float>(), live(i)},
           static_cast<std::uint64_t>(tensor.numel())});
  }
  if (!list.empty()) device_kernels()->sgd(list, control(rate), sgd);
  if (watch != nullptr)
    for (const std::size_t i : reached)
      watch->updated(trained_[i].first, floats_of(on_host(gradients[i])), floats_of(on_host(trained_[i].second)));
}

std::unique_ptr<Optimizer> sgd_optimizer(const NamedTensors& trained, const Sgd& sgd) {
  return std::make_unique<PlainSgd>(trained, sgd);
}

}  // namespace retrial::nn::inline training
