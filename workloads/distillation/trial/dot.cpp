#include "workloads/distillation/trial/dot.hpp"

#include <cstddef>

#include "workloads/distillation/trial/dot_device.hpp"
#include "workloads/distillation/trial/dot_step.hpp"

namespace retrial::distillation::inline trial {

void dot_step(std::span<float> w, std::span<const float> gradient, std::span<const float> imitation,
              const DotVelocities& velocities, double lr, double delta, const nn::Sgd& sgd) {
  const DotNumbers numbers = dot_numbers(lr, delta, sgd);
  float* const __restrict weights = w.data();
  float* const __restrict v = velocities.task.data();
  float* const __restrict u = velocities.imitation.data();
  for (std::size_t i = 0; i < w.size(); ++i) dot_element(weights[i], gradient[i], imitation[i], v[i], u[i], numbers);
}

DotKernel& dot_kernel() {
  static constinit DotKernel kernel = nullptr;
  return kernel;
}

}  // namespace retrial::distillation::inline trial
