#include "workloads/rl/env/self_test.hpp"

#include <algorithm>
#include <vector>

#include "workloads/rl/env/environment.hpp"

#ifdef __FAST_MATH__
#error "environments of Gymnasium need IEEE arithmetic: compile without -ffast-math"
#endif

namespace retrial::rlenv {
namespace {

/// The state after these actions from seed 42: computed by Gymnasium 1.4.0 with NumPy 2.4.6.
struct Known {
  const char* name;
  std::vector<double> actions, state;
};

const std::vector<Known>& known_steps() {
  static const std::vector<Known> steps{
      {"cartpole", {1}, {0x1.bed8c52d122c5p-6, 0x1.8200942272176p-3, 0x1.28ff4189b60dcp-5, -0x1.0bb19f21fa80cp-2}},
      {"acrobot", {0}, {0x1.331fc665f378cp-4, -0x1.0750cdafafbccp-5, 0x1.00bd6da4fefc9p-3, -0x1.dadc71481e7d6p-3}},
      {"mountaincar", {2}, {-0x1.c7775f9865c19p-2, 0x1.b5c241530fdd8p-12}},
      {"mountaincar-continuous", {1, 1}, {-0x1.c515080000000p-2, 0x1.df45120000000p-10}},
      {"pendulum", {2}, {0x1.c46c7df919881p+0, 0x1.d6ab720030ebap-1}}};
  return steps;
}

std::string compared_steps() {
  for (const Known& known : known_steps()) {
    const auto environment = make(known.name);
    environment->reset(42);
    for (const double action : known.actions) environment->step(action);
    if (!std::ranges::equal(environment->state(), known.state))
      return std::string("the environment ") + known.name +
             " differs from Gymnasium after a known step: the program was compiled with flags that change "
             "floating-point results (-march=native, -ffast-math, contraction), or the mathematical library (libm) is "
             "another one than glibc 2.36";
  }
  return {};
}

}  // namespace

std::string self_test() {
  static const std::string problem = compared_steps();
  return problem;
}

}  // namespace retrial::rlenv
