#pragma once

#include <map>
#include <memory>

#include "workloads/distillation/libtorch/teacher_torch.hpp"
#include "workloads/distillation/terms/loss_torch.hpp"

namespace retrial::distillation::inline libtorch {

/// The student network: its training by a method, phase by phase, with teachers if the method has some.
class Student {
 public:
  /// `rows` are its training rows. The teachers must outlive the student. Each phase has at most the place's max_steps.
  Student(const workloads::Trial& trial, const workloads::Place& place, const data::ImageSet& set,
          const std::vector<std::uint32_t>& rows, const data::Normalisation& normalisation,
          std::vector<const Teacher*> teachers);

  /// One epoch of the current phase. `after_step` is asked for what follows each step when the phase is known; empty:
  /// nothing does.
  using AfterStep = std::function<void(std::int64_t)>;
  nn::EpochReport epoch(const std::function<AfterStep()>& after_step);
  /// Each term's part of the gradient on the first batch of the coming epoch. Discard the student afterwards: running
  /// statistics and memories have changed.
  [[nodiscard]] nn::Shares shares();

  [[nodiscard]] const nn::Model& model() const { return *model_; }
  /// "" in the main phase.
  [[nodiscard]] const std::string& phase() const { return phases_[phase_].name; }
  [[nodiscard]] std::int64_t epochs_done() const { return trainings_[phase_].epochs_done(); }  ///< in that phase
  [[nodiscard]] bool phase_finished() const { return trainings_[phase_].finished(); }
  [[nodiscard]] bool finished() const { return phase_ + 1 == phases_.size() && trainings_.back().finished(); }
  /// Over all phases.
  [[nodiscard]] std::int64_t all_epochs() const;
  [[nodiscard]] std::int64_t all_epochs_done() const;
  [[nodiscard]] std::int64_t samples_seen() const;
  [[nodiscard]] const std::vector<double>& rates() const { return trainings_.back().rates(); }
  /// For the phases before the main one, in order.
  [[nodiscard]] std::vector<double> earlier_rates() const;
  /// Number of values that the losses counted as 0 because they were not finite; nothing if no loss counts.
  [[nodiscard]] std::optional<double> skipped() const;

  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 private:
  void begin_phase();
  [[nodiscard]] nn::Trainee trainee(const PhasePlan& phase) const;
  [[nodiscard]] std::vector<nn::Term> terms_of(const nn::BatchView& batch);
  [[nodiscard]] nn::Activations seen_by(std::size_t teacher, const nn::BatchView& batch);

  std::vector<PhasePlan> phases_;
  std::vector<const Teacher*> teachers_;
  std::unique_ptr<nn::Model> model_;
  std::map<std::string, std::unique_ptr<Loss>> losses_;  ///< by term
  std::vector<nn::Training> trainings_;                  ///< one per phase
  std::size_t phase_ = 0;
  /// With teacher_cache = logits: the training images, and each teacher's logits once they are needed.
  bool caches_logits_;
  at::Tensor images_;
  std::vector<at::Tensor> cached_logits_;
};

}  // namespace retrial::distillation::inline libtorch
