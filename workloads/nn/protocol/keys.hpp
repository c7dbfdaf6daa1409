#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"
#include "workloads/interface/declaration.hpp"

/// The keys of a training by stochastic gradient descent, for every workload that trains a network.
namespace retrial::nn::inline protocol {

/// The operations that the training loop opens, for Declaration::operations.
[[nodiscard]] inline std::vector<std::string> training_operations() {
  return {"data", "forward", "backward", "step", "evaluate"};
}

/// Defaults, and meanings that depend on the workload.
struct TrainingDefaults {
  std::int64_t epochs = 1;
  double lr = .1;
  bool nesterov = false;
  double weight_decay = 0;
  std::string milestones;
  double augment_mix = 1;
  bool may_have_no_epochs = false;  ///< epochs = 0: a network that is used as it is
  std::string epochs_meaning, lr_meaning, augment_meaning;
};

/// epochs, batch, lr, momentum, nesterov, weight_decay, milestones, gamma, augment, augment_mix, in this order.
[[nodiscard]] std::vector<workloads::Parameter> training_parameters(const TrainingDefaults& defaults);

/// "none" and the augmentations that a key may name.
[[nodiscard]] std::vector<std::string> augmentation_names();
/// Those that can be used on images of this shape, without "none".
[[nodiscard]] std::vector<std::string> augmentations_of(const data::Shape& shape);

}  // namespace retrial::nn::inline protocol
