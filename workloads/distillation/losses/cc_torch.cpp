#include <ATen/TensorOperators.h>
#include <ATen/ops/ones_like.h>

#include <cmath>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"
#include "workloads/distillation/terms/own_tensors_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

/// exp(-gamma |a - b|^2) of unit vectors by its series: e^(-2 gamma) sum_p (2 gamma)^p / p! (a.b)^p.
at::Tensor gaussian_series(const at::Tensor& products) {
  constexpr double gamma = .4;
  constexpr int order = 2;
  at::Tensor sum = at::ones_like(products), power = sum;
  double factor = 1;
  for (int p = 1; p <= order; ++p) {
    factor *= 2 * gamma / p;
    power = power * products;
    sum = sum + factor * power;
  }
  return sum * std::exp(-2 * gamma);
}

class CcLoss final : public Loss {
 public:
  explicit CcLoss(const Setting& setting) : mode_(setting.options.mode) {
    constexpr std::int64_t width = 128;
    OwnTensors own("cc", setting.init_seed);
    student_ = own.linear("student", setting.student.pooled, width);
    teacher_ = own.linear("teacher", setting.teacher.pooled, width);
    parameters_ = own.parameters;
  }
  at::Tensor value(const Sight& sight) override {
    const at::Tensor s = student_(sight.student.pooled), t = teacher_(sight.teacher().pooled.detach());
    return mode_ == "delta" ? cc_delta(s, t) : cc_kernel(s, t, mode_ == "kernel");
  }

 private:
  std::string mode_;
  nn::Linear student_, teacher_;
};

const RegisterLoss cc_term{"cc", [](const Setting& setting) { return std::make_unique<CcLoss>(setting); }};

}  // namespace

at::Tensor cc_delta(const at::Tensor& student, const at::Tensor& teacher) {
  require_batch(student, 2, "cc");
  const at::Tensor delta = (student - teacher).abs();
  const std::int64_t last = delta.size(0) - 1;
  return (delta.narrow(0, 0, last) * delta.narrow(0, 1, last)).sum({1}).mean();
}

at::Tensor cc_kernel(const at::Tensor& student, const at::Tensor& teacher, bool gaussian) {
  require_batch(student, 2, "cc");
  const auto kernel = [&](const at::Tensor& embedded) {
    const at::Tensor e = unit(embedded, 1), products = e.matmul(e.t());
    return gaussian ? gaussian_series(products) : products;
  };
  const auto rows = static_cast<double>(student.size(0));
  return (kernel(student) - kernel(teacher)).norm() / (rows * rows);
}

}  // namespace retrial::distillation::inline losses
