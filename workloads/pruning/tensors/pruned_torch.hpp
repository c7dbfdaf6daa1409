#pragma once

#include <memory>

#include "workloads/nn/training/training_torch.hpp"
#include "workloads/pruning/allocation/allocation.hpp"
#include "workloads/pruning/network/remains.hpp"

namespace retrial::pruning::inline tensors {

/// Description of a network without its weights. Must outlive every network made from it.
struct Blueprint {
  nn::Architecture architecture;
  data::Shape input;
  Network network;
};

/// A network in a pipeline: its masks or factors, and its current retraining. It is on the host but while it is
/// retrained.
class Pruned {
 public:
  /// Starts as a copy of `model`, which has no factors, without masks.
  Pruned(const Blueprint& blueprint, const nn::Model& model);

  [[nodiscard]] const nn::Model& model() const { return *model_; }
  [[nodiscard]] const MaskSet& masks() const { return left_.masks; }
  [[nodiscard]] const Remains& remains() const { return left_; }
  /// Number of live weights, or of elements of factors.
  [[nodiscard]] std::int64_t live() const { return pruning::live(blueprint_.network, left_); }
  /// A copy with every weight as one matrix, for the method to score.
  [[nodiscard]] std::unique_ptr<nn::Model> whole() const;

  /// Back to the state after construction.
  void restart(const nn::Model& model);
  /// Applies the decision of a step: weights are scaled and masked, or replaced by factors.
  void cut(Allocation made);
  /// Masks the weights now and from now on. Throws TrialFailure("prune.mask_revived") if a weight that was masked is
  /// not masked in these.
  void mask(MaskSet masks);
  /// New values for every tensor, under the masks.
  void reset(const nn::NamedTensors& tensors);

  /// Momentum starts at 0.
  void retrain(nn::Samples samples, const nn::Protocol& protocol, const nn::TrainingSeeds& seeds);
  [[nodiscard]] bool retraining() const { return training_ != nullptr; }
  [[nodiscard]] const nn::Training& training() const { return *training_; }
  /// Throws TrialFailure if a masked weight is not 0 afterwards. The basis of factors is constant.
  nn::EpochReport epoch(const std::function<void(std::int64_t)>& after_step);
  /// The tensors are on the host again, where decisions are made.
  void end_retraining();

  /// Masks, ranks and tensors, then the state of a retraining from nn::Training.
  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);
  /// The rest of a saved state in retraining: after `load` and `retrain`.
  void load_training(nn::StateReader& from) { training_->load(from); }

 private:
  void scale(const std::vector<std::vector<float>>& factors);
  void factorise(const std::vector<Rank>& ranks, const std::vector<Principal>& principal);

  const Blueprint& blueprint_;
  std::unique_ptr<nn::Model> model_;
  Remains left_;
  std::unique_ptr<nn::Training> training_;
};

}  // namespace retrial::pruning::inline tensors
