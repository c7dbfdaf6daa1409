#include "workloads/rl/env/libm.hpp"

#include <cmath>

namespace retrial::rlenv {

double pw2(double x) {
  return std::pow(x, 2.0);
}

}  // namespace retrial::rlenv
