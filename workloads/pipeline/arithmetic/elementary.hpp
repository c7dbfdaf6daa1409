#pragma once

#include <span>

/// Functions with the same bits on every machine, of the portable exponential and logarithm.
namespace retrial::pipeline::inline arithmetic {

/// e^x - 1 for x <= 0. Taylor series of x down to -0.35, else e^x - 1.
[[nodiscard]] double portable_expm1(double x);

/// sign(x) (1 - u) / (1 + u) with u = e^(-2 |x|); below 2^-10 the series x - x^3 / 3 + 2 x^5 / 15. Relative error at
/// most 6e-14. NaN for NaN.
[[nodiscard]] double portable_tanh(double x);

/// Cross entropy of a row of logits with the class `label`: the loss in nats, and softmax - onehot in `delta`. A logit
/// that is not finite gives a loss that is not finite; `delta` is then undefined.
template <typename Real>
[[nodiscard]] double cross_entropy(std::span<const Real> logits, std::size_t label, std::span<Real> delta);

}  // namespace retrial::pipeline::inline arithmetic
