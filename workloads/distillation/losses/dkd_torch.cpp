#include <ATen/TensorOperators.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logsumexp.h>

#include <limits>

#include "workloads/distillation/losses_torch.hpp"
#include "workloads/distillation/maps_torch.hpp"

namespace retrial::distillation {

namespace {

/// Logarithms of p_y and of 1 - p_y as the sum of the others (a subtraction would lose the digits of a sure teacher),
/// and the logits of the others.
struct DecoupledSide {
  at::Tensor target, rest, others;
};

DecoupledSide decoupled_side(const at::Tensor& logits, const at::Tensor& labels, double temperature) {
  const at::Tensor scaled = logits / temperature, log_p = at::log_softmax(scaled, 1), column = labels.unsqueeze(1);
  const at::Tensor others_only = at::full_like(logits, true, logits.options().dtype(at::kBool)).scatter(1, column, 0);
  const auto others = [&](const at::Tensor& x) { return x.masked_select(others_only).view({x.size(0), -1}); };
  return {log_p.gather(1, column).squeeze(1), at::logsumexp(others(log_p), {1}), at::log_softmax(others(scaled), 1)};
}

at::Tensor decoupled_part(const at::Tensor& log_goal, const at::Tensor& log_p) {
  const at::Tensor goal = log_goal.clamp_min(std::numeric_limits<float>::lowest());
  return goal.exp() * (goal - log_p);
}

at::Tensor tckd(const Sight& sight, const Options& options) {
  const double t = options.weights.temperature;
  return decoupled(sight.student.logits, sight.teacher().logits, sight.labels, t).target.mean() * (t * t);
}
at::Tensor nckd(const Sight& sight, const Options& options) {
  const double t = options.weights.temperature;
  return decoupled(sight.student.logits, sight.teacher().logits, sight.labels, t).others.mean() * (t * t);
}

const RegisterLoss tckd_term{"tckd", function_loss(tckd)}, nckd_term{"nckd", function_loss(nckd)};

}  // namespace

Decoupled decoupled(const at::Tensor& student, const at::Tensor& teacher, const at::Tensor& labels,
                    double temperature) {
  const DecoupledSide s = decoupled_side(student, labels, temperature),
                      t = decoupled_side(teacher.detach(), labels, temperature);
  return {decoupled_part(t.target, s.target) + decoupled_part(t.rest, s.rest),
          decoupled_part(t.others, s.others).sum({1})};
}

}  // namespace retrial::distillation
