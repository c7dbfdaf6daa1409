#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "determinism/price/step_clock.hpp"
#include "harness/plan/plan.hpp"
#include "harness/plan/trial_body.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::harness::inline price {

/// What has a price: a layer, or the training of a trial.
struct PriceSubject {
  std::string name;     ///< "conv3x3, batch 32"; "WORKLOAD: NAME"
  std::string meaning;  ///< in words
  determinism::PriceOrder order;
  TrialBody trial = {};         ///< empty for a layer
  workloads::Place place = {};  ///< folders of the training
};

/// Layers by name; all of them for no name. `batches` in place of their own; `kernels`: only those with a convolution
/// of such a side. Error{usage} with the nearest name for an unknown layer, and where nothing is left.
[[nodiscard]] std::vector<PriceSubject> layer_subjects(const std::vector<std::string>& names,
                                                       const std::vector<std::int64_t>& batches,
                                                       const std::vector<std::int64_t>& kernels);

/// The trainings that workloads name for this, by the name of their subject; all for no name. Error{usage} as above.
[[nodiscard]] std::vector<PriceSubject> training_subjects(const std::vector<std::string>& names,
                                                          const determinism::KernelMode& mode,
                                                          const PlanInputs& inputs);

/// The trainings of a study, one for each variant. Error{usage} for a workload that trains no network on LibTorch.
[[nodiscard]] std::vector<PriceSubject> study_subjects(const Study& study, const PlanInputs& inputs,
                                                       const std::filesystem::path& data);

}  // namespace retrial::harness::inline price
