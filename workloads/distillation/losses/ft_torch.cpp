#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/leaky_relu.h>

#include <algorithm>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"
#include "workloads/distillation/terms/own_tensors_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

/// Three 3x3 convolutions, channels in -> in -> k -> k, each followed by a leaky ReLU.
struct FactorLayers {
  std::vector<at::Tensor> kernels;
  std::vector<nn::BatchNorm> norms;  ///< translator only

  at::Tensor operator()(at::Tensor x, const nn::Pass& pass) const {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      x = at::conv2d(x, kernels[i], {}, 1, 1);
      x = at::leaky_relu(norms.empty() ? x : norms[i](x, pass), .1);
    }
    return x;
  }
};

/// A paraphraser of the teacher's last map, an autoencoder with the factors in the middle, and a translator of the
/// student's last map into these factors.
class FtLoss final : public Loss {
 public:
  explicit FtLoss(const Setting& setting) {
    const std::int64_t s = setting.student.stages.back().map.channels, t = setting.teacher.stages.back().map.channels,
                       k = std::max<std::int64_t>(t / 2, 1);
    OwnTensors paraphraser("ft.paraphraser", setting.init_seed), translator("ft.translator", setting.init_seed);
    paraphraser_.kernels = {paraphraser.kernel("conv1", {t, t, 3, 3}), paraphraser.kernel("conv2", {k, t, 3, 3}),
                            paraphraser.kernel("conv3", {k, k, 3, 3})};
    back_ = {paraphraser.kernel("back1", {k, k, 3, 3}), paraphraser.kernel("back2", {k, t, 3, 3}),
             paraphraser.kernel("back3", {t, t, 3, 3})};
    translator_.kernels = {translator.kernel("conv1", {s, s, 3, 3}), translator.kernel("conv2", {k, s, 3, 3}),
                           translator.kernel("conv3", {k, k, 3, 3})};
    translator_.norms = {translator.norm("bn1", s), translator.norm("bn2", k), translator.norm("bn3", k)};
    prepared_ = paraphraser.parameters;
    parameters_ = translator.parameters;
    buffers_ = translator.buffers;
  }
  /// Reconstruction error of the teacher's map by the paraphraser.
  at::Tensor preparation(const Sight& sight) override {
    const at::Tensor map = sight.teacher().stage.back().detach();
    at::Tensor x = paraphraser_(map, sight.pass);
    for (const at::Tensor& kernel : back_) x = at::leaky_relu(at::conv_transpose2d(x, kernel, {}, 1, 1), .1);
    return (x - map).square().mean();
  }
  at::Tensor value(const Sight& sight) override {
    return ft(translator_(sight.student.stage.back(), sight.pass),
              paraphraser_(sight.teacher().stage.back(), sight.pass).detach());
  }

 private:
  FactorLayers paraphraser_, translator_;
  std::vector<at::Tensor> back_;
};

const RegisterLoss ft_term{"ft", [](const Setting& setting) { return std::make_unique<FtLoss>(setting); }};

}  // namespace

at::Tensor ft(const at::Tensor& student, const at::Tensor& teacher) {
  const auto [s, t] = at_one_size(student, teacher.detach());
  return (attention(s) - attention(t)).abs().mean();
}

}  // namespace retrial::distillation::inline losses
