#include "workloads/distillation/libtorch/student_torch.hpp"

#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "variance/random/rng.hpp"
#include "workloads/distillation/keys/inputs.hpp"
#include "workloads/distillation/libtorch/dot_torch.hpp"
#include "workloads/nn/script/read_torch.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"

namespace retrial::distillation::inline libtorch {
namespace {

/// dot has no Nesterov form.
nn::Protocol student_protocol(const workloads::Trial& trial) {
  const bool dot = trial.text("optimizer") == "dot";
  return {
      .epochs = trial.integer("epochs"),
      .batch = trial.integer("batch"),
      .schedule = {.lr = trial.number("lr"), .gamma = trial.number("gamma"), .milestones = trial.text("milestones")},
      .sgd = {.momentum = trial.number("momentum"),
              .weight_decay = trial.number("weight_decay"),
              .nesterov = !dot && trial.flag("nesterov")},
      .augmentation = augmentation_of(trial.values, "augment"),
      .mix = trial.number("augment_mix"),
      .dropout = trial.number("dropout"),
      .optimizer = dot ? dot_optimizer(trial.number("dot_delta")) : nn::sgd_optimizer};
}

/// The main phase draws from the sources themselves, so that it gets the same draws as every other method of its pair;
/// earlier phases have their own streams.
nn::TrainingSeeds student_seeds(const workloads::Trial& trial, const nn::Protocol& protocol, const std::string& phase) {
  const auto seed = [&](const char* source) {
    return phase.empty() ? trial.seed(source) : variance::derive(trial.seed(source), phase);
  };
  return {.order = seed("data-order"),
          .augmentation = protocol.augmentation == nullptr ? 0 : seed("augmentation"),
          .dropout = protocol.dropout > 0 ? seed("dropout") : 0};
}

/// A phase before the main one keeps its learning rate: the milestones belong to the main one.
nn::Protocol phase_protocol(const workloads::Trial& trial, const workloads::Place& place, const PhasePlan& phase) {
  nn::Protocol protocol = student_protocol(trial);
  protocol.max_steps = place.max_steps;
  protocol.device = nn::training_device(place);
  protocol.epochs = phase.epochs;
  if (!phase.name.empty()) protocol.schedule.milestones = "";
  return protocol;
}

Setting setting_of(const workloads::Trial& trial, const data::ImageSet& set, const std::vector<std::uint32_t>& rows) {
  const auto outline = [&](const char* role) { return nn::outline_of(architecture_of(trial.values, role), set.shape); };
  Setting setting{.student = outline("student"),
                  .teacher = has_teacher(trial.values) ? outline("teacher") : nn::Outline{},
                  .options = options_of(trial.values)};
  if (trial.seeds.contains("init")) setting.init_seed = trial.seed("init");
  if (trial.seeds.contains("sampling")) setting.sampling_seed = trial.seed("sampling");
  for (const std::uint32_t row : rows) setting.labels.push_back(set.labels[row]);
  return setting;
}

void append(nn::NamedTensors& to, const nn::NamedTensors& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// A network from a file has its weights already, and no source init.
std::unique_ptr<nn::Model> first_model(const workloads::Trial& trial, const workloads::Place& place,
                                       const data::ImageSet& set) {
  const auto architecture = nn::with_script(architecture_of(trial.values, "student"), place, set.shape, set.classes);
  return nn::make(architecture, set.shape, set.classes, trial.seeds.contains("init") ? trial.seed("init") : 0);
}

}  // namespace

Student::Student(const workloads::Trial& trial, const workloads::Place& place, const data::ImageSet& set,
                 const std::vector<std::uint32_t>& rows, const data::Normalisation& normalisation,
                 std::vector<const Teacher*> teachers)
    : phases_(phases_of(trial.values)),
      teachers_(std::move(teachers)),
      model_(first_model(trial, place, set)),
      // The whole training part for a few steps would take most of the time of a cut trial.
      caches_logits_(place.max_steps == 0 && !teachers_.empty() && trial.text("teacher_cache") == "logits"),
      cached_logits_(teachers_.size()) {
  const data::PixelTable table(set, normalisation);
  const Setting setting = setting_of(trial, set, rows);
  for (const PhasePlan& phase : phases_)
    for (const WeightedTerm& term : phase.terms)
      if (!losses_.contains(term.term)) losses_.emplace(term.term, make_loss(term.term, setting));
  for (const PhasePlan& phase : phases_) {
    const nn::Protocol protocol = phase_protocol(trial, place, phase);
    trainings_.emplace_back(trainee(phase), nn::Samples(set, rows, table, protocol.batch, protocol.device), protocol,
                            student_seeds(trial, protocol, phase.name));
  }
  if (trial.flag("gradient_norms")) trainings_.back().watch(model_->parameters());
  if (caches_logits_) images_ = nn::images_of(set, rows, table);
}

/// Every phase keeps everything, so that a state is complete. Tensors that a phase does not train do not change.
nn::Trainee Student::trainee(const PhasePlan& phase) const {
  nn::Trainee all;
  append(phase.preparation ? all.kept : all.trained, model_->parameters());
  append(all.kept, model_->buffers());
  for (const auto& [term, loss] : losses_) {
    append(phase.preparation ? all.kept : all.trained, loss->parameters());
    append(phase.preparation ? all.trained : all.kept, loss->prepared());
    append(all.kept, loss->buffers());
  }
  return all;
}

nn::EpochReport Student::epoch(const std::function<AfterStep()>& after_step) {
  begin_phase();
  return trainings_[phase_].epoch([this](const nn::BatchView& batch) { return terms_of(batch); },
                                  after_step ? after_step() : AfterStep());
}

/// Moves from a finished phase to the next one.
void Student::begin_phase() {
  if (phase_finished() && phase_ + 1 < phases_.size()) ++phase_;
}

nn::Shares Student::shares() {
  begin_phase();
  return trainings_[phase_].shares([this](const nn::BatchView& batch) { return terms_of(batch); },
                                   model_->parameters());
}

std::vector<double> Student::earlier_rates() const {
  std::vector<double> all;
  for (std::size_t i = 0; i + 1 < trainings_.size(); ++i)
    all.insert(all.end(), trainings_[i].rates().begin(), trainings_[i].rates().end());
  return all;
}

std::int64_t Student::all_epochs() const {
  std::int64_t sum = 0;
  for (const PhasePlan& phase : phases_) sum += phase.epochs;
  return sum;
}

std::int64_t Student::all_epochs_done() const {
  std::int64_t sum = trainings_[phase_].epochs_done();
  for (std::size_t i = 0; i < phase_; ++i) sum += phases_[i].epochs;
  return sum;
}

std::int64_t Student::samples_seen() const {
  const std::int64_t done = all_epochs_done();
  return done * trainings_.front().count();
}

std::optional<double> Student::skipped() const {
  std::optional<double> sum;
  for (const auto& [term, loss] : losses_)
    if (const auto more = loss->skipped()) sum = sum.value_or(0) + *more;
  return sum;
}

/// The state of a phase tells whether it is finished: the next one begins with the next epoch.
void Student::save(nn::StateWriter& to) const {
  to.number("phase", phase_);
  trainings_[phase_].save(to);
}

void Student::load(nn::StateReader& from) {
  phase_ = std::min(from.number("phase"), static_cast<std::uint64_t>(phases_.size() - 1));
  trainings_[phase_].load(from);
}

/// The weighted terms of the phase on one batch. A term of weight 0 is left out, so that kd without a soft part equals
/// ce to the bit and needs no teacher. A preparation does not use the student.
std::vector<nn::Term> Student::terms_of(const nn::BatchView& batch) {
  const PhasePlan& phase = phases_[phase_];
  Sight sight{.labels = batch.labels, .places = batch.places, .epoch = batch.epoch, .pass = batch.pass};
  if (!phase.preparation) sight.student = model_->forward(batch.images, batch.pass);
  std::vector<nn::Term> terms;
  for (const WeightedTerm& term : phase.terms) {
    const double weight = term.weight_at(batch.epoch);
    if (weight == 0) continue;
    if (imitates(term.term) && sight.teachers.empty())
      for (std::size_t i = 0; i < teachers_.size(); ++i) sight.teachers.push_back(seen_by(i, batch));
    Loss& loss = *losses_.at(term.term);
    terms.push_back({term.term, weight, phase.preparation ? loss.preparation(sight) : loss.value(sight)});
  }
  return terms;
}

nn::Activations Student::seen_by(std::size_t teacher, const nn::BatchView& batch) {
  const at::NoGradGuard no_gradient;
  if (!caches_logits_) return teachers_[teacher]->model().forward(batch.images, {});
  at::Tensor& logits = cached_logits_[teacher];
  if (!logits.defined()) logits = nn::on(batch.index.device(), nn::logits_of(teachers_[teacher]->model(), images_));
  return {.logits = logits.index_select(0, batch.index), .pooled = {}};
}

}  // namespace retrial::distillation::inline libtorch
