#include "workloads/pipeline/methods/scaling.hpp"

#include <cmath>

#include "variance/numbers/error.hpp"
#include "variance/numbers/number_text.hpp"
#include "variance/random/portable.hpp"
#include "variance/random/rng.hpp"
#include "workloads/pipeline/arithmetic/elementary.hpp"

namespace retrial::pipeline::inline methods {

Rates scale_hyperparameters(double lr, double momentum, double from, double to) {
  const auto check = [](bool good, const char* field, double value, const char* allowed) {
    if (!good) throw InvalidInput(field, variance::shortest(value), allowed);
  };
  check(lr > 0 && std::isfinite(lr), "lr", lr, "(0, inf)");
  check(momentum >= 0 && momentum < 1, "momentum", momentum, "[0, 1)");
  check(from >= 1 && std::isfinite(from), "from", from, "[1, inf)");
  check(to >= 1 && std::isfinite(to), "to", to, "[1, inf)");
  if (momentum == 0) return {lr * to / from, 0};
  const double exponent = to / from * variance::log(momentum);
  return {-portable_expm1(exponent) * to * lr / ((1 - momentum) * from), variance::portable_exp(exponent)};
}

}  // namespace retrial::pipeline::inline methods
