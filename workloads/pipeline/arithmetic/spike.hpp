#pragma once

#include <cstdint>

namespace retrial::pipeline::inline arithmetic {

/// An update w -= lr (a v + b g) after v = m v + g.
struct SpikeCoefficients {
  double a = 1, b = 0;
};

/// Spike compensation (Kosson et al., arXiv 2003.11666): a gradient that arrives D updates late has missed D
/// contributions of the momentum and gets them at once. a = m^D, b = 1 + m + ... + m^(D - 1), summed by Horner up to
/// D = 4096 and -expm1(D log m) / (1 - m) above. D = 0 is plain momentum, D = 1 is Nesterov's.
/// Throws InvalidInput unless 0 <= m <= 1 and D >= 0.
[[nodiscard]] SpikeCoefficients sc_coefficients(double momentum, std::int64_t delay);

}  // namespace retrial::pipeline::inline arithmetic
