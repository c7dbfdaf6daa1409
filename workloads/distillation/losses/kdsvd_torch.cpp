#include <ATen/TensorOperators.h>
#include <ATen/ops/linalg_svd.h>

#include <algorithm>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"
#include "workloads/distillation/terms/own_tensors_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

constexpr std::int64_t leading = 1, candidates = leading + 3;

std::int64_t not_finite(const at::Tensor& x) {
  return x.numel() - x.isfinite().sum().item().toLong();
}

/// Leading right singular vectors of (positions, channels), (B, C, at most `count`). Equal singular values have no
/// gradient; values that are not finite, there or in the map, count as 0.
at::Tensor right_vectors(const at::Tensor& map, std::int64_t count) {
  at::Tensor x = map.flatten(2).transpose(1, 2).nan_to_num(0, 0, 0);
  if (x.requires_grad()) x.register_hook([](const at::Tensor& gradient) { return gradient.nan_to_num(0, 0, 0); });
  // On the host whatever the device: other libraries have other signs, and another order of nearly equal values.
  const at::Tensor v = nn::on(x.device(), std::get<2>(at::linalg_svd(nn::on_host(x), false))).transpose(1, 2);
  return v.narrow(2, 0, std::min(count, v.size(2)));
}

/// Singular vectors are unique up to their sign, which differs between linear-algebra libraries: here the first
/// component of largest magnitude is positive.
at::Tensor with_fixed_sign(const at::Tensor& vectors) {
  return vectors * vectors.gather(1, vectors.abs().argmax(1, true)).sign();
}

/// For each of the teacher's vectors the student's nearest one in direction, with the sign that makes it closer.
at::Tensor aligned(const at::Tensor& student, const at::Tensor& teacher) {
  const at::Tensor cosines = student.detach().transpose(1, 2).bmm(teacher), best = cosines.abs().argmax(1, true);
  const at::Tensor signs = cosines.gather(1, best).sign();
  return student.gather(2, best.expand({-1, student.size(1), -1})) * signs;
}

/// exp(-(v_i - w_j)^2 / 8) of the components of two stages, (B, C, D, vectors).
at::Tensor relation(const at::Tensor& v, const at::Tensor& w) {
  return (-(v.unsqueeze(2) - w.unsqueeze(1)).square() / 8).exp();
}

class KdsvdLoss final : public Loss {
 public:
  explicit KdsvdLoss(const Setting& setting) {
    OwnTensors own("kdsvd", setting.init_seed);
    skipped_ = own.counter("skipped");
    buffers_ = own.buffers;
  }
  at::Tensor value(const Sight& sight) override {
    Relations found = kdsvd(sight.student.stage, sight.teacher().stage);
    skipped_.add_(found.skipped);
    return found.value;
  }
  std::optional<double> skipped() const override { return skipped_.item().toDouble(); }

 private:
  at::Tensor skipped_;
};

const RegisterLoss kdsvd_term{"kdsvd", [](const Setting& setting) { return std::make_unique<KdsvdLoss>(setting); }};

}  // namespace

/// The teacher's singular values scale both sides and have unit length among those kept; of one kept it is 1.
Relations kdsvd(const std::vector<at::Tensor>& student, const std::vector<at::Tensor>& teacher) {
  Relations found;
  at::Tensor before_s, before_t;
  for (std::size_t i = 0; i < student.size(); ++i) {
    require_equal_channels(student[i], teacher[i], "kdsvd");
    const at::Tensor t = with_fixed_sign(right_vectors(teacher[i].detach(), leading)),
                     s = aligned(right_vectors(student[i], candidates), t);
    found.skipped += not_finite(student[i]);
    if (i > 0) {
      const at::Tensor squares = (relation(before_s, s) - relation(before_t, t)).square();
      found.skipped += not_finite(squares);
      const at::Tensor part = squares.nan_to_num(0, 0, 0).sum() / static_cast<double>(student[i].size(0));
      found.value = found.value.defined() ? found.value + part : part;
    }
    before_s = s;
    before_t = t;
  }
  return found;
}

}  // namespace retrial::distillation::inline losses
