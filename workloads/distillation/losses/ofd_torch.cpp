#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>

#include <cmath>

#include "workloads/distillation/losses_torch.hpp"
#include "workloads/distillation/maps_torch.hpp"
#include "workloads/distillation/own_tensors_torch.hpp"

namespace retrial::distillation {

namespace {

at::Tensor margins_of(const nn::NormWeights& norm) {
  const at::Tensor w = norm.weight.detach().to(at::kFloat).contiguous(),
                   b = norm.bias.detach().to(at::kFloat).contiguous(), margins = at::empty(w.sizes(), at::kFloat);
  for (std::int64_t c = 0; c < w.numel(); ++c)
    margins.data_ptr<float>()[c] = static_cast<float>(ofd_margin(w.data_ptr<float>()[c], b.data_ptr<float>()[c]));
  return margins.view({1, -1, 1, 1});
}

/// The student's maps before the ReLU through a 1x1 convolution and batch norm; deeper stages weigh twice as much as
/// the one before.
class OfdLoss final : public Loss {
 public:
  explicit OfdLoss(const Setting& setting) {
    OwnTensors own("ofd", setting.init_seed);
    for (std::size_t i = 0; i < setting.student.stages.size(); ++i) {
      const std::int64_t in = setting.student.stages[i].before.channels,
                         out = setting.teacher.stages[i].before.channels;
      const std::string stage = "stage" + std::to_string(i + 1);
      stages_.push_back({own.kernel(stage + ".conv", {out, in, 1, 1}), own.norm(stage + ".bn", out)});
    }
    parameters_ = own.parameters;
    buffers_ = own.buffers;
  }
  at::Tensor value(const Sight& sight) override {
    at::Tensor sum;
    const nn::Activations& teacher = sight.teacher();
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const at::Tensor s = stages_[i].norm(at::conv2d(sight.student.stage_pre[i], stages_[i].kernel), sight.pass);
      const double weight = std::ldexp(1, static_cast<int>(i + 1) - static_cast<int>(stages_.size()));
      const at::Tensor part =
          ofd(s, teacher.stage_pre[i], margins_of(teacher.stage_norm[i])) * (weight / static_cast<double>(s.size(0)));
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

const RegisterLoss ofd_term{"ofd", [](const Setting& setting) { return std::make_unique<OfdLoss>(setting); }};

}  // namespace

double ofd_margin(double w, double b) {
  constexpr double inverse_root_2pi = .39894228040143267794;
  if (w == 0) return b < 0 ? b : 0;
  const double size = std::abs(w), z = b / size, tail = .5 * std::erfc(z / std::sqrt(2.0));
  return tail > .001 ? b - size * inverse_root_2pi * std::exp(-z * z / 2) / tail : -3 * size;
}

at::Tensor ofd(const at::Tensor& student, const at::Tensor& teacher, const at::Tensor& margin) {
  const at::Tensor t = teacher.detach(), to_margin = (student - margin).square(), to_teacher = (student - t).square();
  const at::Tensor low = (student > margin).logical_and(t <= margin),
                   middle = (student > t).logical_and(t > margin).logical_and(t <= 0);
  return (to_margin * low + to_teacher * middle + to_teacher * (t > 0)).sum();
}

}  // namespace retrial::distillation
