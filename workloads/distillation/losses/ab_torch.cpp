#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>

#include <cmath>

#include "workloads/distillation/losses_torch.hpp"
#include "workloads/distillation/maps_torch.hpp"
#include "workloads/distillation/own_tensors_torch.hpp"

namespace retrial::distillation {

namespace {

/// A 1x1 convolution and batch norm where the channels differ; deeper stages weigh twice as much as the one before.
class AbLoss final : public Loss {
 public:
  explicit AbLoss(const Setting& setting) {
    OwnTensors own("ab", setting.init_seed);
    for (std::size_t i = 0; i < setting.student.stages.size(); ++i) {
      const std::int64_t in = setting.student.stages[i].before.channels,
                         out = setting.teacher.stages[i].before.channels;
      const std::string stage = "stage" + std::to_string(i + 1);
      stages_.push_back(in == out ? Stage{}
                                  : Stage{own.kernel(stage + ".conv", {out, in, 1, 1}), own.norm(stage + ".bn", out)});
    }
    parameters_ = own.parameters;
    buffers_ = own.buffers;
  }
  at::Tensor value(const Sight& sight) override {
    at::Tensor sum;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const Stage& stage = stages_[i];
      auto [s, t] = at_one_size(sight.student.stage_pre[i], sight.teacher().stage_pre[i].detach());
      if (stage.kernel.defined()) s = stage.norm(at::conv2d(s, stage.kernel), sight.pass);
      const double weight = std::ldexp(1, static_cast<int>(i + 1) - static_cast<int>(stages_.size()));
      const at::Tensor part = ab(s, t) * (weight / static_cast<double>(s.size(0)));
      sum = sum.defined() ? sum + part : part;
    }
    return sum;
  }

 private:
  struct Stage {
    at::Tensor kernel;
    nn::BatchNorm norm;
  };
  std::vector<Stage> stages_;
};

const RegisterLoss ab_term{"ab", [](const Setting& setting) { return std::make_unique<AbLoss>(setting); }};

}  // namespace

at::Tensor ab(const at::Tensor& student, const at::Tensor& teacher) {
  constexpr double m = 1;
  const at::Tensor active = teacher.detach() > 0;
  const at::Tensor off = (student + m).square() * (student > -m).logical_and(active.logical_not()),
                   on = (student - m).square() * (student <= m).logical_and(active);
  return (off + on).sum();
}

}  // namespace retrial::distillation
