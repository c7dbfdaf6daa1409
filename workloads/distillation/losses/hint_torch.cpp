#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/relu.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"
#include "workloads/distillation/terms/own_tensors_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

const nn::MapShape& hint_shape(const nn::Outline& outline, std::int64_t layer) {
  return layer == 0 ? outline.stem.value() : outline.stages.at(static_cast<std::size_t>(layer - 1)).map;
}
const at::Tensor& hint_map(const nn::Activations& seen, std::int64_t layer) {
  return layer == 0 ? seen.stem : seen.stage[static_cast<std::size_t>(layer - 1)];
}

/// relu(bn(conv)) that resizes the student's map to the teacher's size: a stride of 2 if it is twice as large, a
/// transposed convolution if it is half as large, else a convolution without padding that cuts the excess.
class HintLoss final : public Loss {
 public:
  explicit HintLoss(const Setting& setting) : layer_(setting.options.hint_layer) {
    const nn::MapShape s = hint_shape(setting.student, layer_), t = hint_shape(setting.teacher, layer_);
    OwnTensors own("hint", setting.init_seed);
    if (s.height == 2 * t.height) {
      kernel_ = own.kernel("conv", {t.channels, s.channels, 3, 3});
      halves_ = true;
    } else if (2 * s.height == t.height) {
      kernel_ = own.kernel("conv", {s.channels, t.channels, 4, 4});
      doubles_ = true;
    } else {
      const std::int64_t side = 1 + s.height - t.height;
      kernel_ = own.kernel("conv", {t.channels, s.channels, side, side});
    }
    norm_ = own.norm("bn", t.channels);
    parameters_ = own.parameters;
    buffers_ = own.buffers;
  }
  at::Tensor value(const Sight& sight) override {
    const at::Tensor regressed = at::relu(norm_(convolved(hint_map(sight.student, layer_)), sight.pass));
    return (regressed - hint_map(sight.teacher(), layer_).detach()).square().mean();
  }

 private:
  at::Tensor convolved(const at::Tensor& map) const {
    if (halves_) return at::conv2d(map, kernel_, {}, 2, 1);
    return doubles_ ? at::conv_transpose2d(map, kernel_, {}, 2, 1) : at::conv2d(map, kernel_);
  }

  std::int64_t layer_;
  at::Tensor kernel_;
  nn::BatchNorm norm_;
  bool halves_ = false, doubles_ = false;
};

const RegisterLoss hint_term{"hint", [](const Setting& setting) { return std::make_unique<HintLoss>(setting); }};

}  // namespace

}  // namespace retrial::distillation::inline losses
