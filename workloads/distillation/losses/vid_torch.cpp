#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/softplus.h>

#include <cmath>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"
#include "workloads/distillation/terms/own_tensors_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

class VidLoss final : public Loss {
 public:
  explicit VidLoss(const Setting& setting) {
    const double start = std::log(std::expm1(5 - floor));
    OwnTensors own("vid", setting.init_seed);
    for (std::size_t i = 0; i < setting.student.stages.size(); ++i) {
      const std::int64_t in = setting.student.stages[i].map.channels, out = setting.teacher.stages[i].map.channels;
      const std::string stage = "stage" + std::to_string(i + 1);
      stages_.push_back({own.kernel(stage + ".conv1", {out, in, 1, 1}), own.kernel(stage + ".conv2", {out, out, 1, 1}),
                         own.kernel(stage + ".conv3", {out, out, 1, 1}), own.constant(stage + ".spread", out, start)});
    }
    parameters_ = own.parameters;
  }
  at::Tensor value(const Sight& sight) override {
    at::Tensor sum;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const auto [s, t] = at_one_size(sight.student.stage[i], sight.teacher().stage[i].detach());
      const Stage& stage = stages_[i];
      const at::Tensor mu =
          at::conv2d(at::relu(at::conv2d(at::relu(at::conv2d(s, stage.first)), stage.second)), stage.third);
      const at::Tensor part = vid(mu, t, at::softplus(stage.spread) + floor);
      sum = sum.defined() ? sum + part : part;
    }
    return sum;
  }

 private:
  static constexpr double floor = 1e-5;  ///< smallest variance, which starts at 5
  struct Stage {
    at::Tensor first, second, third, spread;
  };
  std::vector<Stage> stages_;
};

const RegisterLoss vid_term{"vid", [](const Setting& setting) { return std::make_unique<VidLoss>(setting); }};

}  // namespace

at::Tensor vid(const at::Tensor& mu, const at::Tensor& teacher, const at::Tensor& variance) {
  const at::Tensor spread = variance.view({1, -1, 1, 1});
  return .5 * ((mu - teacher).square() / spread + spread.log()).mean();
}

}  // namespace retrial::distillation::inline losses
