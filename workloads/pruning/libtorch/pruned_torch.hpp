#pragma once

#include <memory>

#include "workloads/nn/training/training_torch.hpp"
#include "workloads/pruning/methods/allocation.hpp"
#include "workloads/pruning/network/remains.hpp"

namespace retrial::pruning::inline libtorch {

/// What a network is, apart from its numbers. Must outlive what is made of it.
struct Blueprint {
  nn::Architecture architecture;
  data::Shape input;
  Network network;
};

/// A network on its way through a pipeline: its masks or factors, and its retraining while one is under way.
class Pruned {
 public:
  /// Starts as a copy of `model`, which has no factors, without masks.
  Pruned(const Blueprint& blueprint, const nn::Model& model);

  [[nodiscard]] const nn::Model& model() const { return *model_; }
  [[nodiscard]] const MaskSet& masks() const { return left_.masks; }
  [[nodiscard]] const Remains& remains() const { return left_; }
  /// Weights that live, or elements of factors.
  [[nodiscard]] std::int64_t live() const { return pruning::live(blueprint_.network, left_); }
  /// A copy with every weight as one matrix: what a method scores.
  [[nodiscard]] std::unique_ptr<nn::Model> whole() const;

  /// The same again as at the start.
  void restart(const nn::Model& model);
  /// What a step decided: weights are scaled and masked, or replaced by factors.
  void cut(Allocation made);
  /// Masks the weights now and from now on. Throws TrialFailure("prune.mask_revived") when one that was masked is not
  /// masked in these.
  void mask(MaskSet masks);
  /// Other values for every tensor, under the masks.
  void reset(const nn::NamedTensors& tensors);

  /// Momentum starts at 0.
  void retrain(nn::Samples samples, const nn::Protocol& protocol, const nn::TrainingSeeds& seeds);
  [[nodiscard]] bool retraining() const { return training_ != nullptr; }
  [[nodiscard]] const nn::Training& training() const { return *training_; }
  /// Throws TrialFailure when a masked weight is not 0 afterwards. Of factors the basis is held.
  nn::EpochReport epoch(const std::function<void(std::int64_t)>& after_step);
  void end_retraining() { training_.reset(); }

  /// Masks, ranks and tensors, then the state of a retraining from nn::Training.
  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);
  /// Where the saved one was retraining: behind `load` and `retrain`.
  void load_training(nn::StateReader& from) { training_->load(from); }

 private:
  void scale(const std::vector<std::vector<float>>& factors);
  void factorise(const std::vector<Rank>& ranks, const std::vector<Principal>& principal);

  const Blueprint& blueprint_;
  std::unique_ptr<nn::Model> model_;
  Remains left_;
  std::unique_ptr<nn::Training> training_;
};

}  // namespace retrial::pruning::inline libtorch
