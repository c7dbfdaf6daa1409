#include "workloads/nn/learner/learner_torch.hpp"

namespace retrial::nn::inline learner {
namespace {

NamedTensors copies_of(const NamedTensors& tensors) {
  NamedTensors copies;
  for (const auto& [name, tensor] : tensors) copies.emplace_back(name, tensor.detach().clone());
  return copies;
}

}  // namespace

Learner::Learner(LearnerPlan plan) : plan_(std::move(plan)) {
  const data::ImageSet& set = *plan_.set;
  model_ = make(plan_.architecture, set.shape, set.classes, plan_.init);
  training_ = std::make_unique<Training>(
      *model_,
      Samples(set, plan_.rows, data::PixelTable(set, plan_.normalisation), plan_.protocol.batch, plan_.protocol.device),
      plan_.protocol, plan_.seeds);
  take_snapshot();
  if (plan_.protocol.epochs == 0) finish();
}

EpochReport Learner::epoch(const std::function<void(std::int64_t)>& after_step) {
  const Objective given = [this](const BatchView& batch) { return plan_.terms(*model_, batch); };
  EpochReport report = training_->epoch(plan_.terms ? given : labels_alone(*model_), after_step);
  trail_.push_back({determinism::hex(model_->digest()), report.loss});
  diverged_ = report.diverged_at.has_value();
  take_snapshot();
  if (training_->finished()) finish();
  return report;
}

void Learner::take_snapshot() {
  if (plan_.snapshot == epochs_done()) snapshot_ = copies_of(model_->tensors());
}

void Learner::finish() {
  model_->freeze();
  training_.reset();
  trained_ = true;
}

void Learner::save(StateWriter& to) const {
  to.number("trained", trained_ ? 1 : 0);
  to.number("diverged", diverged_ ? 1 : 0);
  to.number("marks", trail_.size());
  for (const EpochMark& mark : trail_) {
    to.text("weights", mark.weights);
    to.real("loss", mark.loss);
  }
  to.number("snapshot", snapshot_.empty() ? 0 : 1);
  save_tensors(to, snapshot_);
  if (trained_)
    save_tensors(to, model_->tensors());
  else
    training_->save(to);
}

void Learner::load(StateReader& from) {
  const bool trained = from.number("trained") != 0;
  diverged_ = from.number("diverged") != 0;
  trail_.clear();
  for (std::uint64_t marks = from.number("marks"); marks > 0; --marks) {
    std::string weights = from.text("weights");
    trail_.push_back({std::move(weights), from.real("loss")});
  }
  snapshot_ = from.number("snapshot") != 0 ? copies_of(model_->tensors()) : NamedTensors{};
  load_tensors(from, snapshot_);
  if (trained) {
    load_tensors(from, model_->tensors());
    finish();
  } else {
    training_->load(from);
  }
}

}  // namespace retrial::nn::inline learner
