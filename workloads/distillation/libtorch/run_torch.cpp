#include "workloads/distillation/libtorch/run_torch.hpp"

#include <algorithm>

#include "variance/numbers/error.hpp"
#include "workloads/distillation/trial/remarks.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/trial/stopwatch.hpp"
#include "workloads/nn/protocol/failures.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"

namespace retrial::distillation::inline libtorch {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial;

/// The teachers that the student uses: with takd only the assistant.
std::vector<const Teacher*> seen_teachers(const Trial& trial, const std::vector<std::unique_ptr<Teacher>>& teachers) {
  std::vector<const Teacher*> seen;
  for (const auto& teacher : teachers) seen.push_back(teacher.get());
  if (trial.text("method") == "takd") seen.erase(seen.begin());
  return seen;
}

/// The rows of the teachers are `whole`. Pixels are scaled as with teacher_rows = all, so that only labels and images
/// for training differ.
data::Inputs inputs_for(const Trial& trial, const Place& place) {
  data::Inputs inputs = data::inputs_of(trial, place);
  if (teacher_shares_rows(trial.values)) inputs.parts.whole = inputs.parts.train;
  return inputs;
}

}  // namespace

Distillation::Distillation(const Trial& trial, const Place& place)
    : trial_(trial),
      place_(place),
      inputs_(inputs_for(trial, place)),
      teachers_(teachers_of(trial, place, *inputs_.set, inputs_.parts.whole, inputs_.normalisation)),
      student_(trial, place, *inputs_.set, inputs_.parts.train, inputs_.normalisation, seen_teachers(trial, teachers_)),
      teacher_digests_(teachers_.size()) {
  for (std::size_t t = 0; t < teachers_.size(); ++t)
    if (teachers_[t]->trained()) teacher_digests_[t] = determinism::hex(teachers_[t]->model().digest());
  const data::PixelTable table(*inputs_.set, inputs_.normalisation);
  const at::Device device = nn::training_device(place);
  test_images_ = nn::on(device, nn::images_of(*inputs_.set, inputs_.parts.test, table));
  test_labels_ = nn::labels_of(*inputs_.set, inputs_.parts.test);
  valid_images_ = nn::on(device, nn::images_of(*inputs_.set, inputs_.parts.valid, table));
  valid_labels_ = nn::labels_of(*inputs_.set, inputs_.parts.valid);
}

bool Distillation::advance(Recorder& recorder) {
  warn(recorder);
  Teacher* const teacher = next_teacher();
  const bool trains = !over_ && !student_.finished();
  if (teacher != nullptr)
    advance_teacher(recorder, *teacher);
  else if (trains)
    advance_student(recorder);
  else
    evaluate(recorder);
  recorder.standing(progress_text());
  recorder.progress(done());
  return teacher != nullptr || trains;
}

Teacher* Distillation::next_teacher() const {
  if (over_) return nullptr;
  for (const auto& teacher : teachers_)
    if (!teacher->trained()) return teacher.get();
  return nullptr;
}

/// Once per trial, at its first boundary.
void Distillation::warn(Recorder& recorder) {
  if (std::exchange(warned_, true)) return;
  const auto rows = std::to_string(inputs_.parts.train.size());
  if (trial_.integer("batch") > static_cast<std::int64_t>(inputs_.parts.train.size()))
    recorder.warning("batch = " + std::to_string(trial_.integer("batch")) + " exceeds the " + rows +
                     " training rows: one short batch per epoch");
  for (const std::string& remark : remarks(trial_.values)) recorder.warning(remark);
  if (inputs_.set->name.ends_with("-unofficial"))
    recorder.warning(inputs_.set->name + ": not the published files; no published result can be confirmed with them");
  for (std::size_t t = 0; t < teachers_.size(); ++t)
    if (teachers_[t]->trained() && teachers_[t]->epochs_done() == 0)
      recorder.digest(teachers_[t]->name(), 0, "psum2", teacher_digests_[t]);
}

/// Empty where none are requested.
std::function<void(std::int64_t)> Distillation::step_digests(Recorder& recorder, const nn::Model& model,
                                                             std::string name) const {
  if (place_.checksum_every == 0) return {};
  return [&recorder, &model, name = std::move(name), every = place_.checksum_every](std::int64_t step) {
    if (step % every == 0) recorder.digest(name, step, "psum2", determinism::hex(model.digest()));
  };
}

/// If step digests are requested the cache is not used, as it keeps no steps.
void Distillation::advance_teacher(Recorder& recorder, Teacher& teacher) {
  const bool recalled = teacher.epochs_done() == 0 && place_.checksum_every == 0 && teacher.recall(place_.cache);
  if (recalled) {
    for (std::int64_t epoch = 1; epoch <= teacher.epochs_done(); ++epoch) report_teacher(recorder, teacher, epoch);
  } else {
    const nn::EpochReport report =
        teacher.epoch(step_digests(recorder, teacher.model(), teacher.name() + "_step_weights"));
    report_teacher(recorder, teacher, teacher.epochs_done());
    over_ = report.diverged_at.has_value();
    if (over_)
      recorder.warning("the " + teacher.name() + " diverged at step " + std::to_string(*report.diverged_at) +
                       "; the student is not trained");
    if (over_) recorder.diverged(*report.diverged_at);
  }
  if (!teacher.trained()) return;
  if (!recalled) teacher.keep(place_.cache);
  std::string& digest = teacher_digests_[&teacher == teachers_.front().get() ? 0 : 1];
  digest = determinism::hex(teacher.model().digest());
  recorder.digest(teacher.name(), 0, "psum2", digest);
}

void Distillation::advance_student(Recorder& recorder) {
  if (student_.all_epochs_done() == 0)
    recorder.digest("weights", 0, "psum2", determinism::hex(student_.model().digest()));
  test_logits_.reset();
  nn::EpochReport report;
  {
    const workloads::Stopwatch watch(train_seconds_);
    report = student_.epoch([&] {
      return step_digests(recorder, student_.model(), student_.phase().empty() ? "step_weights" : "init_step_weights");
    });
  }
  require_constant_teacher();
  if (student_.phase().empty())
    report_student(recorder, report);
  else
    report_first_phase(recorder, report);
  over_ = report.diverged_at.has_value();
  if (over_) recorder.diverged(*report.diverged_at);
}

void Distillation::require_constant_teacher() const {
  for (std::size_t i = 0; i < teachers_.size(); ++i)
    if (teachers_[i]->trained() && determinism::hex(teachers_[i]->model().digest()) != teacher_digests_[i])
      throw workloads::TrialFailure(
          "distillation.teacher_mutated",
          "the weights or the statistics of the " + teachers_[i]->name() + " changed while a student learned from it");
}

std::string Distillation::progress_text() const {
  const auto epoch = [](std::int64_t number, std::int64_t of) {
    return "epoch " + std::to_string(number) + " of " + std::to_string(of);
  };
  if (const Teacher* teacher = next_teacher())
    return teacher->name() + ", " + epoch(teacher->epochs_done(), teacher->plan().protocol.epochs);
  return "student, " + epoch(student_.all_epochs_done(), student_.all_epochs());
}

double Distillation::done() const {
  if (over_) return 1;
  std::int64_t taught = 0;
  for (const auto& teacher : teachers_) taught += teacher->epochs_done();
  const std::int64_t all = static_cast<std::int64_t>(teachers_.size()) * trial_.integer("teacher_epochs");
  return static_cast<double>(taught + student_.all_epochs_done()) / static_cast<double>(all + student_.all_epochs());
}

namespace {

const workloads::RegisterStart started{"distillation",
                                       [](const Trial& trial, const Place& place) -> std::unique_ptr<workloads::Run> {
                                         return std::make_unique<Distillation>(trial, place);
                                       },
                                       nn::explain_libtorch};
const workloads::RegisterProbe probed{
    "distillation", [](const Trial& trial, const Place& place) { return Distillation(trial, place).probe(); }};

}  // namespace
}  // namespace retrial::distillation::inline libtorch
