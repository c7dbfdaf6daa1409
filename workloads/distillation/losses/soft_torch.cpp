#include <ATen/TensorOperators.h>
#include <ATen/ops/log_softmax.h>

#include <limits>
#include <sstream>

#include "variance/numbers/error.hpp"
#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/loss_torch.hpp"

namespace retrial::distillation::inline losses {
namespace {

std::string text_of(at::IntArrayRef sizes) {
  std::ostringstream text;
  text << sizes;
  return text.str();
}

double divisor(const at::Tensor& logits, Reduction reduction) {
  switch (reduction) {
    case Reduction::batch_mean:
      return static_cast<double>(logits.size(0));
    case Reduction::element_mean:
      return static_cast<double>(logits.numel());
    case Reduction::sum:
      return 1;
  }
  return 1;
}

}  // namespace

at::Tensor soft(const at::Tensor& student, const at::Tensor& teacher, const Weights& weights) {
  if (!student.sizes().equals(teacher.sizes()))
    throw InvalidInput("teacher", "logits of size " + text_of(teacher.sizes()),
                       "the student's size " + text_of(student.sizes()));
  const double t = weights.temperature;
  const at::Tensor log_student = at::log_softmax(student / t, 1);
  // Clamped, so that a class of probability 0 gives 0 * finite instead of 0 * infinity.
  const at::Tensor log_teacher =
      at::log_softmax(teacher.detach() / t, 1).clamp_min(std::numeric_limits<float>::lowest());
  const at::Tensor divergence = (log_teacher.exp() * (log_teacher - log_student)).sum();
  return divergence * ((weights.t_squared ? t * t : 1) / divisor(student, weights.reduction));
}

namespace {

/// With several teachers, the mean.
at::Tensor soft_of(const Sight& sight, const Options& options) {
  at::Tensor sum;
  for (const nn::Activations& teacher : sight.teachers) {
    const at::Tensor part = soft(sight.student.logits, teacher.logits, options.weights);
    sum = sum.defined() ? sum + part : part;
  }
  return sight.teachers.size() == 1 ? sum : sum / static_cast<double>(sight.teachers.size());
}

const RegisterLoss soft_term{"soft", function_loss(soft_of)};

}  // namespace
}  // namespace retrial::distillation::inline losses
