#include <ATen/TensorOperators.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/connector_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

class AbLoss final : public Loss {
 public:
  explicit AbLoss(const Setting& setting) {
    OwnTensors own("ab", setting.init_seed);
    connectors_ = connectors(own, setting, Connect::where_channels_differ);
    parameters_ = own.parameters;
    buffers_ = own.buffers;
  }
  at::Tensor value(const Sight& sight) override {
    at::Tensor sum;
    for (std::size_t i = 0; i < connectors_.size(); ++i) {
      const auto [s, t] = at_one_size(sight.student.stage_pre[i], sight.teacher().stage_pre[i].detach());
      const double weight = stage_weight(i, connectors_.size());
      const at::Tensor part = ab(connectors_[i](s, sight.pass), t) * (weight / static_cast<double>(s.size(0)));
      sum = sum.defined() ? sum + part : part;
    }
    return sum;
  }

 private:
  std::vector<Connector> connectors_;
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

}  // namespace retrial::distillation::inline losses
