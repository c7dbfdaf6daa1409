#include "workloads/distillation/libtorch/teacher_torch.hpp"

#include <ATen/core/grad_mode.h>

#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/distillation/keys/inputs.hpp"
#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/nn/script/read_torch.hpp"

namespace retrial::distillation::inline libtorch {
namespace {

/// With the default keys, the protocol of the measured teachers with 99 % on the digits: the student's protocol, with
/// shifted copies of each image.
nn::Protocol teacher_protocol(const workloads::Trial& trial) {
  return {.epochs = trial.integer("teacher_epochs"),
          .batch = trial.integer("teacher_batch"),
          .schedule = {.lr = trial.number("teacher_lr"), .gamma = .1, .milestones = "1/3,2/3"},
          .sgd = {.momentum = .9, .weight_decay = 5e-4, .nesterov = true},
          .augmentation = augmentation_of(trial.values, "teacher_augment"),
          .mix = trial.number("teacher_augment_mix"),
          .dropout = trial.number("dropout")};
}

void set_seed(nn::LearnerPlan& plan, std::uint64_t root) {
  constexpr std::uint64_t own_pair = 0;
  plan.init = variance::source_seed(root, "init", own_pair);
  plan.seeds = {.order = variance::source_seed(root, "data-order", own_pair),
                .augmentation = variance::source_seed(root, "augmentation", own_pair),
                .dropout = variance::source_seed(root, "dropout", own_pair)};
}

/// kd with a tutor. A term of weight 0 is left out, as in a student.
std::vector<nn::Term> taught_terms(const nn::Model& model, const nn::BatchView& batch, const nn::Model& tutor,
                                   const Weights& weights) {
  const at::Tensor logits = model.forward(batch.images, batch.pass).logits;
  std::vector<nn::Term> terms;
  if (weights.w_ce > 0) terms.push_back({"ce", weights.w_ce, ce(logits, batch.labels)});
  if (weights.w_soft == 0) return terms;
  const at::NoGradGuard no_gradient;
  const at::Tensor goal = tutor.forward(batch.images, {}).logits;
  const at::AutoGradMode gradient(true);
  terms.push_back({"soft", weights.w_soft, soft(logits, goal, weights)});
  return terms;
}

/// The dependencies of an assistant's bits beyond its own plan.
Json tutoring(const Teacher& tutor, const Weights& weights) {
  return {{"tutor", nn::learner_document(tutor.plan())},
          {"w_ce", results::hex_of_bits(weights.w_ce)},
          {"w_soft", results::hex_of_bits(weights.w_soft)},
          {"temperature", results::hex_of_bits(weights.temperature)},
          {"t_squared", weights.t_squared},
          {"reduction", reduction_names()[static_cast<std::size_t>(weights.reduction)]}};
}

void set_tutor(nn::LearnerPlan& plan, const Teacher& tutor, const Weights& weights) {
  plan.terms = [&tutor, weights](const nn::Model& model, const nn::BatchView& batch) {
    return taught_terms(model, batch, tutor.model(), weights);
  };
  plan.beside = tutoring(tutor, weights);
}

}  // namespace

std::vector<std::unique_ptr<Teacher>> teachers_of(const workloads::Trial& trial, const workloads::Place& place,
                                                  const data::ImageSet& set, const std::vector<std::uint32_t>& rows,
                                                  const data::Normalisation& normalisation) {
  std::vector<std::unique_ptr<Teacher>> teachers;
  if (!has_teacher(trial.values)) return teachers;
  const bool trains = trains_teacher(trial.values);
  const auto architecture = [&](const char* role) {
    return nn::with_script(architecture_of(trial.values, role), place, set.shape, set.classes, trains);
  };
  nn::LearnerPlan plan{.role = "teacher",
                       .shelf = "teachers",
                       .set = &set,
                       .rows = rows,
                       .normalisation = normalisation,
                       .architecture = architecture("teacher"),
                       .protocol = teacher_protocol(trial)};
  plan.protocol.max_steps = place.max_steps;
  plan.protocol.device = nn::training_device(place);
  if (trains) set_seed(plan, trial.seed("teacher"));
  teachers.push_back(std::make_unique<Teacher>(plan));
  if (!has_assistant(trial.values)) return teachers;
  plan.role = "assistant";
  plan.architecture = architecture("assistant");
  if (trains) set_seed(plan, variance::derive(trial.seed("teacher"), "assistant"));
  if (trial.text("method") == "takd") set_tutor(plan, *teachers.front(), weights_of(trial.values));
  teachers.push_back(std::make_unique<Teacher>(plan));
  return teachers;
}

}  // namespace retrial::distillation::inline libtorch
