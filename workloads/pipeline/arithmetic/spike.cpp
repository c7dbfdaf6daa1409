#include "workloads/pipeline/arithmetic/spike.hpp"

#include <string>

#include "variance/numbers/error.hpp"
#include "variance/numbers/number_text.hpp"
#include "variance/random/portable.hpp"
#include "variance/random/rng.hpp"
#include "workloads/pipeline/arithmetic/elementary.hpp"

namespace retrial::pipeline::inline arithmetic {

SpikeCoefficients sc_coefficients(double momentum, std::int64_t delay) {
  constexpr std::int64_t longest_sum = 4096;
  if (!(momentum >= 0 && momentum <= 1)) throw InvalidInput("m", variance::shortest(momentum), "[0, 1]");
  if (delay < 0) throw InvalidInput("D", std::to_string(delay), "0 or more");
  if (delay > longest_sum && momentum > 0 && momentum < 1) {
    const double exponent = static_cast<double>(delay) * variance::log(momentum);
    return {exponent < -708 ? 0 : variance::portable_exp(exponent), -portable_expm1(exponent) / (1 - momentum)};
  }
  if (momentum == 1) return {1, static_cast<double>(delay)};
  SpikeCoefficients made;
  for (std::int64_t j = 0; j < delay; ++j) {
    made.a *= momentum;
    made.b = made.b * momentum + 1;
    if (made.a < 0x1p-1000) made.a = 0;  // no subnormal number arises
  }
  return made;
}

}  // namespace retrial::pipeline::inline arithmetic
