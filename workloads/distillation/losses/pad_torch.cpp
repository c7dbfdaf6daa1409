#include <ATen/TensorOperators.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"
#include "workloads/distillation/terms/own_tensors_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

/// Two linear layers on the student's pooled features: one predicts the teacher's features, one the log variance.
class PadLoss final : public Loss {
 public:
  explicit PadLoss(const Setting& setting) {
    OwnTensors own("pad", setting.init_seed);
    features_ = own.linear("features", setting.student.pooled, setting.teacher.pooled);
    log_variance_ = own.linear("log_variance", setting.student.pooled, setting.teacher.pooled);
    parameters_ = own.parameters;
  }
  at::Tensor value(const Sight& sight) override {
    const at::Tensor& x = sight.student.pooled;
    return pad(features_(x), sight.teacher().pooled, log_variance_(x));
  }

 private:
  nn::Linear features_, log_variance_;
};

const RegisterLoss pad_term{"pad", [](const Setting& setting) { return std::make_unique<PadLoss>(setting); }};

}  // namespace

at::Tensor pad(const at::Tensor& student, const at::Tensor& teacher, const at::Tensor& log_variance) {
  return ((teacher.detach() - student).square() / (1e-6 + log_variance.exp()) + log_variance).mean();
}

}  // namespace retrial::distillation::inline losses
