#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/upsample_nearest2d.h>

#include <algorithm>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"
#include "workloads/distillation/terms/own_tensors_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

/// One level: its map at the common width, fused with the deeper level by an attention of two channels, then mapped to
/// the teacher's channels.
struct ReviewLevel {
  at::Tensor in, attention, out;  ///< attention is undefined in the deepest level
  nn::BatchNorm in_norm, out_norm;

  at::Tensor fused(const at::Tensor& map, const at::Tensor& deeper, const nn::Pass& pass) const {
    const at::Tensor x = in_norm(at::conv2d(map, in), pass);
    if (!deeper.defined()) return x;
    const at::Tensor y = at::upsample_nearest2d(deeper, {x.size(2), x.size(3)});
    const at::Tensor shares = at::sigmoid(at::conv2d(at::cat({x, y}, 1), attention));
    return x * shares.narrow(1, 0, 1) + y * shares.narrow(1, 1, 1);
  }
  at::Tensor towards_teacher(const at::Tensor& x, const nn::Pass& pass) const {
    return out_norm(at::conv2d(x, out, {}, 1, 1), pass);
  }
};

class ReviewLoss final : public Loss {
 public:
  explicit ReviewLoss(const Setting& setting) {
    constexpr std::int64_t widest = 512;
    OwnTensors own("reviewkd", setting.init_seed);
    const std::size_t deepest = setting.student.stages.size() - 1;
    const std::int64_t mid = std::min(widest, setting.student.stages[deepest].map.channels);
    for (std::size_t i = 0; i <= deepest; ++i) {
      const std::int64_t s = setting.student.stages[i].map.channels, t = setting.teacher.stages[i].map.channels;
      const std::string at = "stage" + std::to_string(i + 1) + ".";
      levels_.push_back({.in = own.kernel(at + "in", {mid, s, 1, 1}),
                         .attention = i == deepest ? at::Tensor() : own.kernel(at + "attention", {2, 2 * mid, 1, 1}),
                         .out = own.kernel(at + "out", {t, mid, 3, 3}),
                         .in_norm = own.norm(at + "in_bn", mid),
                         .out_norm = own.norm(at + "out_bn", t)});
    }
    parameters_ = own.parameters;
    buffers_ = own.buffers;
  }
  at::Tensor value(const Sight& sight) override {
    at::Tensor sum, running;
    for (std::size_t i = levels_.size(); i-- > 0;) {
      running = levels_[i].fused(sight.student.stage[i], running, sight.pass);
      const at::Tensor part = hcl(levels_[i].towards_teacher(running, sight.pass), sight.teacher().stage[i].detach());
      sum = sum.defined() ? sum + part : part;
    }
    return sum;
  }

 private:
  std::vector<ReviewLevel> levels_;
};

const RegisterLoss review_term{"reviewkd",
                               [](const Setting& setting) { return std::make_unique<ReviewLoss>(setting); }};

}  // namespace

at::Tensor hcl(const at::Tensor& student, const at::Tensor& teacher) {
  const auto [s, t] = at_one_size(student, teacher.detach());
  at::Tensor sum = (s - t).square().mean();
  double weight = 1, weights = 1;
  for (const std::int64_t side : {4, 2, 1}) {
    if (side >= s.size(2)) continue;
    weight /= 2;
    weights += weight;
    sum = sum + weight * (averaged(s, side, side) - averaged(t, side, side)).square().mean();
  }
  return sum / weights;
}

}  // namespace retrial::distillation::inline losses
