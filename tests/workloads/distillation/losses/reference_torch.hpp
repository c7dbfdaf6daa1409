// Inputs and combined losses that the tests of the losses share: sections 17.1 and 17.2 of the specification of
// distillation.
#pragma once

#include "tests/workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/loss_torch.hpp"

namespace retrial::test::reference {
using namespace distillation;  // NOLINT: the subject of every line

inline const at::Tensor S = matrix({1, 2, 3, 0, 0, 0}, 2), T = matrix({3, 2, 1, 2, 0, 0}, 2),
                        S1 = matrix({1, 2, 3, 0, 1, 0}, 2), T2 = matrix({1, 1, 4, 0, 1, 0}, 2), y = labels({2, 0});
inline const at::Tensor map_s = numbers({1, 2, 3, 4, 0, 1, 1, 0, 1, 0, 0, 1, 2, 2, 0, 0}, {2, 2, 2, 2}),
                        map_t = numbers({2, 2, 2, 2, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 2, 2}, {2, 2, 2, 2});
inline const at::Tensor x_s = matrix({0, 0, 3, 4, 0, 4}, 3), x_t = matrix({0, 0, 1, 0, 0, 1}, 3),
                        q_s = matrix({0, 0, 1, 0, 1, 1, 0, 1}, 4), q_t = matrix({0, 0, 2, 0, 2, 1, 0, 1}, 4);

inline at::Tensor rkd(const at::Tensor& s, const at::Tensor& t) {
  return 25 * rkd_distance(s, t) + 50 * rkd_angle(s, t);
}
inline double kd(const at::Tensor& s, const at::Tensor& t, const Weights& weights) {
  return weights.w_ce * value(ce(s, y)) + weights.w_soft * value(soft(s, t, weights));
}
/// As a training computes it, of student S with labels y.
inline double term_value(const std::string& term, double temperature, const std::vector<nn::Activations>& teachers) {
  Setting setting;
  setting.options.weights.temperature = temperature;
  const Sight sight{.student = {.logits = S, .pooled = {}}, .teachers = teachers, .labels = y};
  return value(make_loss(term, setting)->value(sight));
}
inline PairLoss dkd(double beta) {
  return [beta](const at::Tensor& s, const at::Tensor& t) {
    const Decoupled parts = decoupled(s, t, y, 4);
    return 16 * (parts.target.mean() + beta * parts.others.mean());
  };
}

}  // namespace retrial::test::reference
