#include "workloads/distillation/student_torch.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <algorithm>

#include "workloads/distillation/inputs.hpp"
#include "workloads/nn/evaluate_torch.hpp"

namespace retrial::distillation {
namespace {

nn::Protocol student_protocol(const workloads::Trial& trial) {
  return {
      .epochs = trial.integer("epochs"),
      .batch = trial.integer("batch"),
      .schedule = {.lr = trial.number("lr"), .gamma = trial.number("gamma"), .milestones = trial.text("milestones")},
      .sgd = {.momentum = trial.number("momentum"),
              .weight_decay = trial.number("weight_decay"),
              .nesterov = trial.flag("nesterov")},
      .augmentation = augmentation_of(trial.values, "augment"),
      .mix = trial.number("augment_mix"),
      .dropout = trial.number("dropout")};
}

nn::TrainingSeeds student_seeds(const workloads::Trial& trial, const nn::Protocol& protocol) {
  return {.order = trial.seed("data-order"),
          .augmentation = protocol.augmentation == nullptr ? 0 : trial.seed("augmentation"),
          .dropout = protocol.dropout > 0 ? trial.seed("dropout") : 0};
}

nn::Training training_of(const workloads::Trial& trial, nn::Model& model, nn::Samples samples) {
  const nn::Protocol protocol = student_protocol(trial);
  return {model, std::move(samples), protocol, student_seeds(trial, protocol)};
}

at::Tensor index_of(std::span<const std::uint32_t> places) {
  const at::Tensor index = at::empty({static_cast<std::int64_t>(places.size())}, at::kLong);
  std::copy(places.begin(), places.end(), index.data_ptr<std::int64_t>());
  return index;
}

}  // namespace

Student::Student(const workloads::Trial& trial, const data::ImageSet& set, std::vector<std::uint32_t> rows,
                 const data::Normalisation& normalisation, const Teacher* teacher)
    : method_(find_method(trial.text("method"))),
      weights_(weights_of(trial.values)),
      teacher_(teacher),
      model_(nn::make(architecture_of(trial.values, "student"), set.shape, set.classes, trial.seed("init"))),
      training_(training_of(trial, *model_,
                            nn::Samples(set, rows, data::PixelTable(set, normalisation), trial.integer("batch")))),
      caches_logits_(teacher != nullptr && trial.text("teacher_cache") == "logits") {
  if (caches_logits_) images_ = nn::images_of(set, rows, data::PixelTable(set, normalisation));
}

nn::EpochReport Student::epoch(const std::function<void(std::int64_t)>& after_step) {
  return training_.epoch([this](const nn::BatchView& batch) { return terms_of(batch); }, after_step);
}

/// The weighted terms of the method on one batch. A term of weight 0 is left out, so that kd without a soft part is ce
/// to the bit and costs no teacher.
std::vector<nn::Term> Student::terms_of(const nn::BatchView& batch) {
  Sight sight{.student = model_->forward(batch.images, batch.pass).logits, .teacher = {}, .labels = batch.labels};
  std::vector<nn::Term> terms;
  for (const TermUse& use : method_.terms) {
    const double weight = weight_of(use, weights_);
    if (weight == 0) continue;
    const TermRow& row = find_term(use.term);
    if (row.reads_teacher && !sight.teacher.defined()) sight.teacher = teacher_logits(batch);
    terms.push_back({row.name, weight, row.value(sight, weights_)});
  }
  return terms;
}

at::Tensor Student::teacher_logits(const nn::BatchView& batch) {
  const at::NoGradGuard no_gradient;
  if (!caches_logits_) return teacher_->model().forward(batch.images, {}).logits;
  if (!cached_logits_.defined()) cached_logits_ = nn::logits_of(teacher_->model(), images_);
  return cached_logits_.index_select(0, index_of(batch.places));
}

}  // namespace retrial::distillation
