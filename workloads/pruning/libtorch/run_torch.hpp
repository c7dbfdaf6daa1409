#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workloads/interface/trial/run.hpp"
#include "workloads/nn/learner/learner_torch.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/libtorch/test_sets_torch.hpp"
#include "workloads/pruning/measures/outcomes.hpp"
#include "workloads/pruning/observations/cross_confidence_torch.hpp"
#include "workloads/pruning/observations/distance_torch.hpp"
#include "workloads/pruning/tensors/pruned_torch.hpp"

namespace retrial::pruning::inline libtorch {

/// In percent.
[[nodiscard]] double accuracy_of(std::int64_t wrong, std::int64_t images);
/// Number of errors of a network, and whether all of its logits were finite.
struct Answers {
  std::int64_t wrong = 0;
  bool finite = true;
};
[[nodiscard]] Answers answers_of(const nn::Model& model, const TestSet& test);

/// One trial: the parent epoch by epoch, then for every keep ratio of the grid a pruning, a retraining and an
/// evaluation; at the end the results of the whole cascade.
class Pruning final : public workloads::Run {
 public:
  Pruning(const workloads::Trial& trial, const workloads::Place& place);
  bool advance(workloads::Recorder& recorder) override;
  void save(std::ostream& to) const override;
  void load(std::istream& from) override;

 private:
  void warn(workloads::Recorder& recorder);
  void advance_parent(workloads::Recorder& recorder);
  void adopt_parent(workloads::Recorder& recorder);
  void advance_separate(workloads::Recorder& recorder);
  void begin_step(workloads::Recorder& recorder);
  [[nodiscard]] Allocation decided(workloads::Recorder& recorder, const Pruned& line);
  void prune(workloads::Recorder& recorder, Allocation made);
  void place_control();
  [[nodiscard]] MaskSet control_masks() const;
  void start_training(Pruned& line);
  void retrain_epoch(workloads::Recorder& recorder);
  void load_line(nn::StateReader& from, Pruned& line, bool retraining);

  void judge_as_it_is(workloads::Recorder& recorder);
  void judge(workloads::Recorder& recorder, const Pruned& line, bool retrained);
  [[nodiscard]] std::vector<std::int64_t> count_errors(workloads::Recorder& recorder, const nn::Model& model);
  void end_as_diverged(workloads::Recorder& recorder);
  [[nodiscard]] bool collapsed_to_chance(bool retrained) const;
  [[nodiscard]] bool parent_guesses() const;
  void record_size(workloads::Recorder& recorder, const Pruned& line) const;
  [[nodiscard]] std::vector<Distance> distances_of(const nn::Model& model) const;
  void record_distances(workloads::Recorder& recorder, const std::vector<Distance>& found, const std::string& prefix,
                        std::int64_t step) const;
  void record_pixels(workloads::Recorder& recorder, const std::string& name, double prune_ratio, const nn::Model& model,
                     const std::string& prefix, std::int64_t step);
  void record_latency(workloads::Recorder& recorder, const Pruned& line) const;
  void record_step(workloads::Recorder& recorder, const Pruned& line, bool retrained) const;
  void conclude(workloads::Recorder& recorder) const;
  [[nodiscard]] variance::ScoreBound bound_if(bool at_end) const;
  [[nodiscard]] std::string potential_text() const;

  [[nodiscard]] std::int64_t steps() const { return static_cast<std::int64_t>(grid_.size()); }
  [[nodiscard]] nn::Protocol protocol() const;
  [[nodiscard]] nn::TrainingSeeds seeds() const;
  [[nodiscard]] nn::LearnerPlan parent_plan() const;
  [[nodiscard]] nn::LearnerPlan separate_plan() const;
  [[nodiscard]] std::optional<CrossConfidence> no_confidence() const;
  [[nodiscard]] double done() const;
  /// "step 5 of 8, PR 81.0 %, epoch 3 of 20, 97.5 % (parent 97.4)": the accuracies are the latest.
  [[nodiscard]] std::string progress_text() const;
  [[nodiscard]] std::int64_t epochs_recorded() const;
  [[nodiscard]] std::function<void(std::int64_t)> step_digests(workloads::Recorder& recorder, const nn::Model& model,
                                                               std::int64_t steps_before) const;
  /// The evaluated network, and the masks on it.
  [[nodiscard]] const Pruned& judged() const { return control_ ? *control_ : line_; }

  workloads::Trial trial_;
  workloads::Place place_;
  data::Inputs inputs_;
  Blueprint blueprint_;
  const Pipeline& pipeline_;
  std::vector<double> grid_;
  Lengths lengths_;
  StepOptions cut_;
  nn::Learner parent_;
  std::vector<TestSet> tests_;  ///< the nominal one first
  ScoringRows scoring_;
  Pruned line_;                          ///< the cascade
  std::int64_t batches_;                 ///< optimizer steps per epoch
  std::optional<Pruned> control_;        ///< the evaluated network of a control pipeline, from the first step on
  std::optional<nn::Learner> separate_;  ///< trained separately from the parent; from its first epoch on
  Outcomes outcomes_;
  std::optional<CrossConfidence> confidence_;  ///< if the keys request images for it
  std::int64_t step_ = 0;                      ///< the current or last prune step; 0 before the first
  std::int64_t unreachable_ = 0, moved_ = 0;
  double last_accuracy_ = 0, dual_gap_ = 0, rank_error_ = 0;
  bool over_ = false, warned_ = false;
  bool owes_retraining_ = false;  ///< pruned since the last training
  double seconds_ = 0;            ///< duration of the current step
};

}  // namespace retrial::pruning::inline libtorch
