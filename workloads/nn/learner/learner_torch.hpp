#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace retrial::nn::inline learner {

/// Everything that decides the bits of a network that is trained before that of the trial.
struct LearnerPlan {
  std::string role;   ///< "teacher", "parent": in its document and its state
  std::string shelf;  ///< folder of the cache: "teachers"
  const data::ImageSet* set = nullptr;
  std::vector<std::uint32_t> rows;
  data::Normalisation normalisation;
  Architecture architecture;
  Protocol protocol;
  std::uint64_t init = 0;
  TrainingSeeds seeds;
  /// Also keep the tensors after this many epochs; 0: the initial ones.
  std::optional<std::int64_t> snapshot = {};
  /// Its objective; empty: only the labels. `beside` holds the further dependencies of the objective.
  std::function<std::vector<Term>(const Model& model, const BatchView& batch)> terms = {};
  Json beside = nullptr;
};

/// The document "retrial.learner/1": the plan, the program and the numeric state of this process.
[[nodiscard]] Json learner_document(const LearnerPlan& plan);

/// The report of one finished epoch.
struct EpochMark {
  std::string weights;  ///< psum2
  double loss = 0;
};

/// A network that is trained once and kept: untrained at first, frozen after its last epoch; with 0 epochs at once.
class Learner {
 public:
  explicit Learner(LearnerPlan plan);

  /// One epoch; the last one, or one that diverges, freezes the network.
  EpochReport epoch(const std::function<void(std::int64_t)>& after_step);
  [[nodiscard]] const LearnerPlan& plan() const { return plan_; }
  [[nodiscard]] const std::string& name() const { return plan_.role; }
  [[nodiscard]] bool trained() const { return trained_; }
  [[nodiscard]] std::int64_t epochs_done() const { return static_cast<std::int64_t>(trail_.size()); }
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const std::vector<EpochMark>& trail() const { return trail_; }
  /// The tensors of the plan's snapshot; empty before that epoch, and without a snapshot.
  [[nodiscard]] const NamedTensors& snapshot() const { return snapshot_; }

  /// State of the training until its end, only the weights afterwards.
  void save(StateWriter& to) const;
  void load(StateReader& from);

  /// Loads the trained network if `folder` holds exactly this network, undamaged; returns whether it did.
  bool recall(const std::filesystem::path& folder);
  /// Writes a trained network by temporary name and rename. A cache that cannot be written is not a failure.
  void keep(const std::filesystem::path& folder) const;

 private:
  void take_snapshot();
  void finish();
  [[nodiscard]] std::string contents() const;

  LearnerPlan plan_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Training> training_;
  std::vector<EpochMark> trail_;
  NamedTensors snapshot_;
  bool trained_ = false, diverged_ = false;
};

}  // namespace retrial::nn::inline learner
