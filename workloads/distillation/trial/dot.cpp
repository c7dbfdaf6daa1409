#include "workloads/distillation/trial/dot.hpp"

#include <cstddef>

namespace retrial::distillation::inline trial {

void dot_step(std::span<float> w, std::span<const float> gradient, std::span<const float> imitation,
              const DotVelocities& velocities, double lr, double delta, const nn::Sgd& sgd) {
  const auto rate = static_cast<float>(lr), slow = static_cast<float>(sgd.momentum - delta),
             fast = static_cast<float>(sgd.momentum + delta), decay = static_cast<float>(sgd.weight_decay);
  float* const __restrict weights = w.data();
  float* const __restrict v = velocities.task.data();
  float* const __restrict u = velocities.imitation.data();
  for (std::size_t i = 0; i < w.size(); ++i) {
    v[i] = slow * v[i] + (gradient[i] + decay * weights[i]);
    u[i] = fast * u[i] + imitation[i];
    weights[i] = weights[i] - rate * (v[i] + u[i]);
  }
}

}  // namespace retrial::distillation::inline trial
