#pragma once

#include <memory>

#include "workloads/nn/training_torch.hpp"
#include "workloads/pruning/masks.hpp"

namespace retrial::prune {

/// What a network is, apart from its numbers. Must outlive what is made of it.
struct Blueprint {
  nn::Architecture architecture;
  data::Shape input;
  Network network;
};

/// A network on its way through a pipeline: its masks, and its retraining while one is under way.
class Pruned {
 public:
  /// Starts as a copy of `model` without masks.
  Pruned(const Blueprint& blueprint, const nn::Model& model);

  [[nodiscard]] const nn::Model& model() const { return *model_; }
  [[nodiscard]] const MaskSet& masks() const { return masks_; }

  /// The same again as at the start.
  void restart(const nn::Model& model);
  /// Masks the weights now and from now on. Throws TrialFailure("prune.mask_revived") when one that was masked is not
  /// masked in these.
  void mask(MaskSet masks);
  /// Multiplies every weight by its factor, layer by layer; none: leaves all as they are.
  void scale(const std::vector<std::vector<float>>& factors);
  /// Other values for every tensor, under the masks.
  void reset(const nn::NamedTensors& tensors);

  /// Momentum starts at 0.
  void retrain(nn::Samples samples, const nn::Protocol& protocol, const nn::TrainingSeeds& seeds);
  [[nodiscard]] bool retraining() const { return training_ != nullptr; }
  [[nodiscard]] const nn::Training& training() const { return *training_; }
  /// Throws TrialFailure when a masked weight is not 0 afterwards.
  nn::EpochReport epoch(const std::function<void(std::int64_t)>& after_step);
  void end_retraining() { training_.reset(); }

  /// Tensors and masks; the state of a retraining follows from nn::Training.
  void save(nn::StateWriter& to) const;
  /// `retrain` must have been called where the saved one was retraining.
  void load(nn::StateReader& from);

 private:
  const Blueprint& blueprint_;
  std::unique_ptr<nn::Model> model_;
  MaskSet masks_;
  std::unique_ptr<nn::Training> training_;
};

}  // namespace retrial::prune
