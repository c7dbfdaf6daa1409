#include "workloads/distillation/teacher_torch.hpp"

#include <ATen/core/grad_mode.h>

#include "variance/rng.hpp"
#include "workloads/distillation/losses_torch.hpp"

namespace retrial::distillation {
namespace {

constexpr std::uint64_t own_pair = 0;

nn::TrainingSeeds teacher_seeds(std::uint64_t root) {
  return {.order = variance::source_seed(root, "data-order", own_pair),
          .augmentation = variance::source_seed(root, "augmentation", own_pair),
          .dropout = variance::source_seed(root, "dropout", own_pair)};
}

}  // namespace

Teacher::Teacher(TeacherPlan plan) : plan_(std::move(plan)) {
  const data::ImageSet& set = *plan_.set;
  model_ = nn::make(plan_.architecture, set.shape, set.classes, variance::source_seed(plan_.seed, "init", own_pair));
  training_ = std::make_unique<nn::Training>(
      *model_, nn::Samples(set, plan_.rows, data::PixelTable(set, plan_.normalisation), plan_.protocol.batch),
      plan_.protocol, teacher_seeds(plan_.seed));
}

/// A term of weight 0 is left out, as a student does.
std::vector<nn::Term> Teacher::terms_of(const nn::BatchView& batch) const {
  const at::Tensor logits = model_->forward(batch.images, batch.pass).logits;
  if (plan_.tutor == nullptr) return {{"ce", 1, ce(logits, batch.labels)}};
  std::vector<nn::Term> terms;
  if (plan_.weights.w_ce > 0) terms.push_back({"ce", plan_.weights.w_ce, ce(logits, batch.labels)});
  if (plan_.weights.w_soft == 0) return terms;
  const at::NoGradGuard no_gradient;
  const at::Tensor goal = plan_.tutor->model().forward(batch.images, {}).logits;
  const at::AutoGradMode gradient(true);
  terms.push_back({"soft", plan_.weights.w_soft, soft(logits, goal, plan_.weights), true});
  return terms;
}

nn::EpochReport Teacher::epoch(const std::function<void(std::int64_t)>& after_step) {
  nn::EpochReport report = training_->epoch([this](const nn::BatchView& batch) { return terms_of(batch); }, after_step);
  trail_.push_back({determinism::hex(model_->digest()), report.loss});
  diverged_ = report.diverged_at.has_value();
  if (training_->finished()) finish();
  return report;
}

void Teacher::finish() {
  model_->freeze();
  training_.reset();
  trained_ = true;
}

void Teacher::save(nn::StateWriter& to) const {
  to.number("trained", trained_ ? 1 : 0);
  to.number("diverged", diverged_ ? 1 : 0);
  to.number("marks", trail_.size());
  for (const EpochMark& mark : trail_) {
    to.text("weights", mark.weights);
    to.real("loss", mark.loss);
  }
  if (trained_)
    nn::save_tensors(to, model_->tensors());
  else
    training_->save(to);
}

void Teacher::load(nn::StateReader& from) {
  const bool trained = from.number("trained") != 0;
  diverged_ = from.number("diverged") != 0;
  trail_.clear();
  for (std::uint64_t marks = from.number("marks"); marks > 0; --marks) {
    std::string weights = from.text("weights");
    trail_.push_back({std::move(weights), from.real("loss")});
  }
  if (trained) {
    nn::load_tensors(from, model_->tensors());
    finish();
  } else {
    training_->load(from);
  }
}

}  // namespace retrial::distillation
