#pragma once

#include <cstdint>

#include "determinism/kernels/parts.hpp"

namespace retrial::nn::inline gpu {

inline constexpr unsigned max_terms = 32;

/// The weighted terms of one step's objective, whose values are on the device.
struct StepTerms {
  const float* values[max_terms];
  double weights[max_terms];
  std::uint32_t slots[max_terms];  ///< of their sums
  std::uint32_t count;
  double rows;
  std::int64_t step;
};

/// What an epoch adds up on the device, so that no step waits for the host: the objective and its terms, each times the
/// rows of its batch, and whether the training goes on. Once an objective was not finite nothing changes any more.
struct Ledger {
  double* loss;
  double* terms;              ///< by slot
  std::uint8_t* proceed;      ///< 1 until an objective was not finite
  std::int64_t* diverged_at;  ///< its step
};

/// The body of its kernel, of one thread: sums in the order of the steps, in double, as the CPU's loop adds them.
RETRIAL_HD void note_step(const StepTerms& step, const Ledger& ledger, const determinism::Where& at) {
  if (at.block != 0 || at.thread != 0 || *ledger.proceed == 0) return;
  double total = 0;
  for (unsigned i = 0; i < step.count; ++i) {
    const double value = step.weights[i] * static_cast<double>(*step.values[i]);
    total += value;
    ledger.terms[step.slots[i]] += value * step.rows;
  }
  *ledger.loss += total * step.rows;
  if (total - total == 0) return;
  *ledger.proceed = 0;
  *ledger.diverged_at = step.step;
}

/// A tensor that forward passes change (running statistics), with its values after the last pass that counts.
struct Settled {
  std::uint8_t *now, *counted;
};

/// The body of its kernel, between a forward pass and note_step: the CPU's loop ends after the pass whose objective is
/// not finite, so the passes after it are undone.
RETRIAL_HD void settle_parts(const determinism::Parts<Settled>& parts, const std::uint8_t* proceed,
                             const determinism::Where& at) {
  const bool counts = *proceed != 0;
  determinism::each_element(parts, at, [&](const Settled& tensor, std::uint64_t i) {
    if (counts)
      tensor.counted[i] = tensor.now[i];
    else
      tensor.now[i] = tensor.counted[i];
  });
}

}  // namespace retrial::nn::inline gpu
