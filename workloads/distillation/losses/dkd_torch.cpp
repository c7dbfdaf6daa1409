#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/log_sigmoid.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/sigmoid.h>

#include <limits>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

// The gradients are written out: with a graph of some thirty small operations dkd took three times as long as soft at
// 128 x 100, without it less than twice.
namespace retrial::distillation::inline losses {
namespace {

/// One network's logits over the temperature, without a graph.
struct DecoupledSide {
  at::Tensor column;  ///< the target's place, (B, 1)
  at::Tensor others;  ///< log-probabilities among the non-target classes, clamped to finite numbers
  at::Tensor shares;  ///< their exponentials; at the target 0
  at::Tensor odds;    ///< log (p_y / (1 - p_y)), (B, 1)
};

/// -infinity is the exact absence of a class in a softmax; a large negative number is not. The log sum of the others'
/// exponentials is the difference between the logit and the log-probability of any of them; a subtraction of
/// probabilities would lose the digits of a confident teacher.
DecoupledSide decoupled_side(const at::Tensor& logits, const at::Tensor& labels, double temperature) {
  const at::NoGradGuard no_graph;
  constexpr double infinity = std::numeric_limits<double>::infinity(), lowest = std::numeric_limits<float>::lowest();
  at::Tensor scaled = logits / temperature;
  const at::Tensor column = labels.unsqueeze(1), other = (column + 1).remainder_(logits.size(1));
  const at::Tensor z = scaled.gather(1, column), z_other = scaled.gather(1, other);
  at::Tensor others = at::log_softmax(scaled.scatter_(1, column, -infinity), 1);
  const at::Tensor odds = z - (z_other - others.gather(1, other)), shares = others.exp();
  return {column, others.clamp_min_(lowest), shares, odds};
}

/// One value per row, and its gradient with respect to the student's scaled logits, times a factor.
struct Part {
  at::Tensor value, gradient;
};

/// Divergence of (p, 1 - p): log p = s(x) and log (1 - p) = s(x) - x of the log odds x, s the log sigmoid. x grows with
/// the target's logit and falls with the others' by their shares.
Part target_part(const DecoupledSide& student, const DecoupledSide& teacher, double factor) {
  const at::NoGradGuard no_graph;
  const at::Tensor &s = student.odds, &t = teacher.odds;
  const at::Tensor slope = (at::sigmoid(s) - at::sigmoid(t)) * factor;
  return {(at::log_sigmoid(t) - at::log_sigmoid(s) + at::sigmoid(-t) * (s - t)).squeeze(1),
          (student.shares * -slope).scatter_(1, student.column, slope)};
}

/// The target's place weighs 0.
Part others_part(const DecoupledSide& student, const DecoupledSide& teacher, double factor) {
  const at::NoGradGuard no_graph;
  return {(teacher.others - student.others).mul_(teacher.shares).sum({1}),
          (student.shares - teacher.shares).mul_(factor)};
}

/// `value` to the bit, with a gradient: `line` has that gradient, and is subtracted from itself.
at::Tensor attached(const at::Tensor& value, const at::Tensor& line) {
  return line - line.detach() + value;
}

/// Computed once per batch for both terms.
DecoupledSide side_of(const Sight& sight, const std::string& name, const at::Tensor& logits, double temperature) {
  std::vector<at::Tensor>& left = sight.left[name];
  if (left.empty() || !left[0].is_same(logits)) {
    const DecoupledSide side = decoupled_side(logits, sight.labels, temperature);
    left = {logits, side.column, side.others, side.shares, side.odds};
  }
  return {left[1], left[2], left[3], left[4]};
}

using MakePart = Part (*)(const DecoupledSide& student, const DecoupledSide& teacher, double factor);

template <MakePart part>
at::Tensor term(const Sight& sight, const Options& options) {
  const double t = options.weights.temperature;
  const at::Tensor& logits = sight.student.logits;
  const DecoupledSide own = side_of(sight, "dkd student", logits, t),
                      theirs = side_of(sight, "dkd teacher", sight.teacher().logits, t);
  const Part found = part(own, theirs, t / static_cast<double>(logits.size(0)));
  return attached(found.value.mean() * (t * t), (logits * found.gradient).sum());
}

const RegisterLoss tckd_term{"tckd", function_loss(term<target_part>)},
    nckd_term{"nckd", function_loss(term<others_part>)};

}  // namespace

Decoupled decoupled(const at::Tensor& student, const at::Tensor& teacher, const at::Tensor& labels,
                    double temperature) {
  const DecoupledSide s = decoupled_side(student, labels, temperature),
                      t = decoupled_side(teacher, labels, temperature);
  const auto rows = [&](const Part& part) { return attached(part.value, (student * part.gradient).sum({1})); };
  return {rows(target_part(s, t, 1 / temperature)), rows(others_part(s, t, 1 / temperature))};
}

}  // namespace retrial::distillation::inline losses
