#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <cmath>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/connector_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

at::Tensor margins_of(const nn::NormWeights& norm) {
  const at::Tensor w = nn::on_host(norm.weight.detach()).to(at::kFloat).contiguous(),
                   b = nn::on_host(norm.bias.detach()).to(at::kFloat).contiguous(),
                   margins = at::empty(w.sizes(), at::kFloat);
  for (std::int64_t c = 0; c < w.numel(); ++c)
    margins.data_ptr<float>()[c] = static_cast<float>(ofd_margin(w.data_ptr<float>()[c], b.data_ptr<float>()[c]));
  return nn::on(norm.weight.device(), margins.view({1, -1, 1, 1}));
}

class OfdLoss final : public Loss {
 public:
  explicit OfdLoss(const Setting& setting) {
    OwnTensors own("ofd", setting.init_seed);
    connectors_ = connectors(own, setting, Connect::every_stage);
    parameters_ = own.parameters;
    buffers_ = own.buffers;
  }
  at::Tensor value(const Sight& sight) override {
    at::Tensor sum;
    const nn::Activations& teacher = sight.teacher();
    for (std::size_t i = 0; i < connectors_.size(); ++i) {
      const at::Tensor s = connectors_[i](sight.student.stage_pre[i], sight.pass);
      const double weight = stage_weight(i, connectors_.size());
      if (margins_.size() == i) margins_.push_back(margins_of(teacher.stage_norm[i]));
      const at::Tensor part = ofd(s, teacher.stage_pre[i], margins_[i]) * (weight / static_cast<double>(s.size(0)));
      sum = sum.defined() ? sum + part : part;
    }
    return sum;
  }

 private:
  std::vector<Connector> connectors_;
  std::vector<at::Tensor> margins_;  ///< of the teacher, whose weights do not change
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

}  // namespace retrial::distillation::inline losses
