#include "determinism/manifest.hpp"
#include "determinism/switches.hpp"
#include "results/text.hpp"
#include "variance/rng.hpp"
#include "workloads/distillation/inputs.hpp"
#include "workloads/distillation/teacher_torch.hpp"

namespace retrial::distillation {
namespace {

/// With the defaults of its keys, what made the measured teachers of 99 % on the digits: the student's protocol, and
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

/// Rows stand for split, subset and validation alike.
std::string rows_digest(const std::vector<std::uint32_t>& rows) {
  std::string bytes;
  for (const std::uint32_t row : rows)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(row >> shift & 0xff));
  return results::hex(results::sha256(bytes));
}

Json bits(const std::vector<double>& values) {
  Json texts = Json::array();
  for (const double value : values) texts.push_back(results::hex_of_bits(value));
  return texts;
}

/// What an assistant's bits depend on beyond its own plan.
Json tutoring(const TeacherPlan& plan) {
  const Weights& weights = plan.weights;
  return {{"tutor", teacher_document(plan.tutor->plan())},
          {"weights", bits({weights.w_ce, weights.w_soft, weights.temperature})},
          {"t_squared", weights.t_squared},
          {"reduction", reduction_names()[static_cast<std::size_t>(weights.reduction)]}};
}

}  // namespace

std::vector<std::unique_ptr<Teacher>> teachers_of(const workloads::Trial& trial, const data::ImageSet& set,
                                                  const std::vector<std::uint32_t>& rows,
                                                  const data::Normalisation& normalisation, std::int64_t most_steps) {
  std::vector<std::unique_ptr<Teacher>> teachers;
  if (!has_teacher(trial.values)) return teachers;
  TeacherPlan plan{.set = &set,
                   .rows = rows,
                   .normalisation = normalisation,
                   .architecture = architecture_of(trial.values, "teacher"),
                   .protocol = teacher_protocol(trial),
                   .seed = trial.seed("teacher")};
  plan.protocol.most_steps = most_steps;
  teachers.push_back(std::make_unique<Teacher>(plan));
  if (!has_assistant(trial.values)) return teachers;
  plan.name = "assistant";
  plan.architecture = architecture_of(trial.values, "assistant");
  plan.seed = variance::derive(plan.seed, "assistant");
  if (trial.text("method") == "takd") {
    plan.tutor = teachers.front().get();
    plan.weights = weights_of(trial.values);
  }
  teachers.push_back(std::make_unique<Teacher>(plan));
  return teachers;
}

Json teacher_document(const TeacherPlan& plan) {
  const nn::Protocol& protocol = plan.protocol;
  Json document{{"schema", "retrial.teacher/1"},
                {"dataset", results::hex(data::identity(*plan.set))},
                {"rows", rows_digest(plan.rows)},
                {"mean", bits(plan.normalisation.mean)},
                {"sd", bits(plan.normalisation.sd)},
                {"model", plan.architecture.name},
                {"epochs", protocol.epochs},
                {"batch", protocol.batch},
                {"numbers", bits({protocol.schedule.lr, protocol.schedule.gamma, protocol.sgd.momentum,
                                  protocol.sgd.weight_decay, protocol.mix, protocol.dropout})},
                {"milestones", protocol.schedule.milestones},
                {"nesterov", protocol.sgd.nesterov},
                {"augmentation", protocol.augmentation == nullptr ? "none" : protocol.augmentation->name},
                {"seed", results::hex16(plan.seed)},
                {"program", determinism::own_build_id()},
                {"mode", determinism::read_back()}};
  if (plan.tutor != nullptr) document["tutoring"] = tutoring(plan);
  return document;
}

}  // namespace retrial::distillation
