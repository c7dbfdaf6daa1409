#pragma once

namespace retrial::pipeline::inline methods {

struct Rates {
  double lr = 0, momentum = 0;
};

/// Rates for updates of `to` samples from rates tuned for updates of `from` (Chiley et al. 2019): m' = m^(to / from),
/// lr' = lr (1 - m') to / ((1 - m) from). The half-life of the momentum in samples, and what a sample contributes in
/// all, stay the same. 1 - m' is -expm1(to / from * log m): the difference is wrong from the 14th digit on.
/// Throws InvalidInput unless lr > 0 is finite, 0 <= momentum < 1, and both numbers of samples are at least 1.
[[nodiscard]] Rates scale_hyperparameters(double lr, double momentum, double from, double to);

}  // namespace retrial::pipeline::inline methods
