#pragma once

#include "determinism/mode/kernel_mode.hpp"
#include "determinism/price/step_clock.hpp"
#include "workloads/interface/trial/trial.hpp"

/// The worker's side of retrial price.
namespace retrial::harness::inline worker {

/// Optimizer steps between two times of a training: its weights are digested there, which a tenth of the steps makes
/// too rare to matter.
[[nodiscard]] std::int64_t steps_between_times(const determinism::PriceOrder& order);

[[nodiscard]] determinism::StepTimes price_layer(const determinism::PriceOrder& order,
                                                 const determinism::KernelMode& mode);
/// The steps of the trial's last training, which its digests called "step_weights" mark. Throws TrialFailure where it
/// ends before enough steps are done.
[[nodiscard]] determinism::StepTimes price_training(const determinism::PriceOrder& order, const workloads::Trial& trial,
                                                    workloads::Place place, const determinism::KernelMode& mode);

}  // namespace retrial::harness::inline worker
