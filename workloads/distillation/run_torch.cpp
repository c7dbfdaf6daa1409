#include "workloads/run.hpp"

#include "determinism/psum2.hpp"
#include "results/json.hpp"
#include "variance/error.hpp"
#include "workloads/distillation/inputs.hpp"
#include "workloads/distillation/selection.hpp"
#include "workloads/distillation/stopwatch.hpp"
#include "workloads/distillation/student_torch.hpp"
#include "workloads/distillation/teacher_torch.hpp"
#include "workloads/nn/evaluate_torch.hpp"
#include "workloads/registry.hpp"

namespace retrial::distillation {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial;

constexpr std::int64_t final_step = -1;

/// The data of one trial: which rows serve whom, and how a pixel enters a network.
struct Inputs {
  const data::ImageSet* set;
  data::Parts parts;
  data::Normalisation normalisation;
};

Inputs inputs_of(const Trial& trial) try {
  const data::ImageSet& set = data_set_of(trial.values).load();
  const bool drawn = trial.text("split") != "published";
  data::Parts parts = data::make_parts(
      set, parts_request(trial.values, drawn ? std::optional(trial.seed("data-split")) : std::nullopt));
  data::Normalisation normalisation = normalisation_of(trial.values, set, parts.teacher);
  return {&set, std::move(parts), std::move(normalisation)};
} catch (const InvalidInput& wrong) {
  throw workloads::TrialFailure("data.too_few_rows", wrong.what());  // a drawn split may lack rows of a class
}

/// One trial: the teacher epoch by epoch, then the student, then its evaluation.
class Distillation final : public workloads::Run {
 public:
  Distillation(const Trial& trial, const Place& place);
  bool advance(Recorder& recorder) override;
  void save(std::ostream& to) const override;
  void load(std::istream& from) override;

 private:
  void warn(Recorder& recorder);
  void advance_teacher(Recorder& recorder);
  void report_teacher(Recorder& recorder, std::int64_t epoch) const;
  void advance_student(Recorder& recorder);
  void report_student(Recorder& recorder, const nn::EpochReport& report);
  void evaluate(Recorder& recorder);
  void compare_with_teacher(Recorder& recorder, const at::Tensor& logits, const at::Tensor& labels);
  void report_selection(Recorder& recorder) const;
  void require_constant_teacher() const;
  [[nodiscard]] double accuracy(const nn::Model& model, const at::Tensor& images, const at::Tensor& labels);
  [[nodiscard]] std::function<void(std::int64_t)> step_digests(Recorder& recorder, const nn::Model& model,
                                                               const char* name) const;
  [[nodiscard]] double done() const;
  [[nodiscard]] std::string models_text() const;

  Trial trial_;
  Place place_;
  Inputs inputs_;
  std::optional<Teacher> teacher_;
  Student student_;
  at::Tensor test_images_, test_labels_, valid_images_, valid_labels_;
  std::string teacher_digest_;  ///< of the trained teacher, before any student step
  Selection selection_;
  bool over_ = false, warned_ = false;
  double train_seconds_ = 0, eval_seconds_ = 0, evaluated_ = 0;
};

std::optional<Teacher> teacher_of(const Trial& trial, const Inputs& inputs) {
  if (!has_teacher(trial.values)) return std::nullopt;
  return Teacher(teacher_plan(trial, *inputs.set, inputs.parts.teacher, inputs.normalisation));
}

Distillation::Distillation(const Trial& trial, const Place& place)
    : trial_(trial),
      place_(place),
      inputs_(inputs_of(trial)),
      teacher_(teacher_of(trial, inputs_)),
      student_(trial, *inputs_.set, inputs_.parts.train, inputs_.normalisation, teacher_ ? &*teacher_ : nullptr) {
  const data::PixelTable table(*inputs_.set, inputs_.normalisation);
  test_images_ = nn::images_of(*inputs_.set, inputs_.parts.test, table);
  test_labels_ = nn::labels_of(*inputs_.set, inputs_.parts.test);
  valid_images_ = nn::images_of(*inputs_.set, inputs_.parts.valid, table);
  valid_labels_ = nn::labels_of(*inputs_.set, inputs_.parts.valid);
}

bool Distillation::advance(Recorder& recorder) {
  warn(recorder);
  const bool trains_teacher = teacher_ && !teacher_->trained(), trains = !over_ && !student_.training().finished();
  if (trains_teacher)
    advance_teacher(recorder);
  else if (trains)
    advance_student(recorder);
  else
    evaluate(recorder);
  recorder.progress(done());
  return trains_teacher || trains;
}

/// Once a trial, at its first boundary.
void Distillation::warn(Recorder& recorder) {
  if (std::exchange(warned_, true)) return;
  const auto rows = std::to_string(inputs_.parts.train.size());
  if (trial_.integer("batch") > static_cast<std::int64_t>(inputs_.parts.train.size()))
    recorder.warning("batch = " + std::to_string(trial_.integer("batch")) + " exceeds the " + rows +
                     " training rows: one short batch an epoch");
  if (!inputs_.parts.valid.empty() && trial_.text("select") != "best-val")
    recorder.warning("the " + std::to_string(inputs_.parts.valid.size()) +
                     " validation rows select nothing: select = " + trial_.text("select"));
  if (trial_.text("select") == "best-test")
    recorder.warning("select = best-test chooses the epoch on the test set: it cannot confirm a claim");
  if (teacher_ && trial_.text("teacher") == trial_.text("student"))
    recorder.warning("teacher and student are the same model: self-distillation");
}

std::function<void(std::int64_t)> Distillation::step_digests(Recorder& recorder, const nn::Model& model,
                                                             const char* name) const {
  return [&recorder, &model, name, every = place_.checksum_every](std::int64_t step) {
    if (every > 0 && step % every == 0) recorder.digest(name, step, "psum2", determinism::hex(model.digest()));
  };
}

/// With step digests wanted the cache is passed by: it keeps no steps.
void Distillation::advance_teacher(Recorder& recorder) {
  const bool recalled = teacher_->epochs_done() == 0 && place_.checksum_every == 0 && teacher_->recall(place_.cache);
  if (recalled) {
    for (std::int64_t epoch = 1; epoch <= teacher_->epochs_done(); ++epoch) report_teacher(recorder, epoch);
  } else {
    const nn::EpochReport report = teacher_->epoch(step_digests(recorder, teacher_->model(), "teacher_step_weights"));
    report_teacher(recorder, teacher_->epochs_done());
    over_ = report.diverged_at.has_value();
    if (over_)
      recorder.warning("the teacher diverged at step " + std::to_string(*report.diverged_at) +
                       "; the student is not trained");
    if (over_) recorder.diverged(*report.diverged_at);
  }
  if (!teacher_->trained()) return;
  if (!recalled) teacher_->keep(place_.cache);
  teacher_digest_ = determinism::hex(teacher_->model().digest());
  recorder.digest("teacher", 0, "psum2", teacher_digest_);
}

void Distillation::report_teacher(Recorder& recorder, std::int64_t epoch) const {
  const EpochMark& mark = teacher_->trail()[static_cast<std::size_t>(epoch - 1)];
  recorder.digest("teacher_weights", epoch, "psum2", mark.weights);
  recorder.metric("teacher_loss", mark.loss, epoch);
}

void Distillation::advance_student(Recorder& recorder) {
  if (student_.training().epochs_done() == 0)
    recorder.digest("weights", 0, "psum2", determinism::hex(student_.model().digest()));
  nn::EpochReport report;
  {
    const Stopwatch watch(train_seconds_);
    report = student_.epoch(step_digests(recorder, student_.model(), "step_weights"));
  }
  require_constant_teacher();
  report_student(recorder, report);
  over_ = report.diverged_at.has_value();
  if (over_) recorder.diverged(*report.diverged_at);
}

void Distillation::report_student(Recorder& recorder, const nn::EpochReport& report) {
  const std::int64_t epoch = student_.training().epochs_done();
  recorder.digest("weights", epoch, "psum2", determinism::hex(student_.model().digest()));
  recorder.metric("train_loss", report.loss, epoch);
  for (const auto& [term, value] : report.terms) recorder.metric("loss_" + term, value, epoch);
  const double test = accuracy(student_.model(), test_images_, test_labels_);
  recorder.metric("test_accuracy", test, epoch);
  selection_.add(test, valid_labels_.numel() > 0
                           ? std::optional(accuracy(student_.model(), valid_images_, valid_labels_))
                           : std::nullopt);
}

double Distillation::accuracy(const nn::Model& model, const at::Tensor& images, const at::Tensor& labels) {
  const Stopwatch watch(eval_seconds_);
  evaluated_ += static_cast<double>(images.size(0));
  return nn::percent_equal(nn::predicted(nn::logits_of(model, images)), labels);
}

void Distillation::evaluate(Recorder& recorder) {
  const at::Tensor logits = nn::logits_of(student_.model(), test_images_), labels = nn::predicted(logits);
  if (student_.training().epochs_done() == 0) selection_.add(nn::percent_equal(labels, test_labels_), std::nullopt);
  recorder.digest("weights", final_step, "psum2", determinism::hex(student_.model().digest()));
  recorder.digest("predictions", final_step, "psum2", determinism::hex(nn::predictions_digest(labels, logits)));
  recorder.digest("lr_schedule", final_step, "sha256", results::hex(nn::schedule_digest(student_.training().rates())));
  recorder.artifact("models", "json", models_text());
  if (teacher_) compare_with_teacher(recorder, logits, labels);
  report_selection(recorder);
  recorder.metric("train_seconds", train_seconds_);
  if (train_seconds_ > 0)
    recorder.metric("train_rate", static_cast<double>(student_.training().samples_seen()) / train_seconds_);
  if (eval_seconds_ > 0) recorder.metric("eval_rate", evaluated_ / eval_seconds_);
}

void Distillation::compare_with_teacher(Recorder& recorder, const at::Tensor& logits, const at::Tensor& labels) {
  const at::Tensor teacher = nn::logits_of(teacher_->model(), test_images_), teacher_labels = nn::predicted(teacher);
  require_constant_teacher();
  recorder.digest("teacher", final_step, "psum2", teacher_digest_);
  recorder.metric("teacher_accuracy", nn::percent_equal(teacher_labels, test_labels_));
  recorder.metric("agreement", nn::percent_equal(labels, teacher_labels));
  const Weights plain{.temperature = 1, .t_squared = false};
  recorder.metric("kl_to_teacher", soft(logits.to(at::kDouble), teacher.to(at::kDouble), plain).item().toDouble());
}

void Distillation::report_selection(Recorder& recorder) const {
  recorder.metric("accuracy", selection_.reported(trial_.text("select")));
  recorder.metric("last", selection_.last());
  recorder.metric("best_test", selection_.best_test());
  recorder.metric("optimism", selection_.best_test() - selection_.last());
  if (!selection_.best_validation()) return;
  recorder.metric("best_val", *selection_.best_validation());
  recorder.metric("test_at_best_val", *selection_.test_at_best_validation());
}

void Distillation::require_constant_teacher() const {
  if (!teacher_ || determinism::hex(teacher_->model().digest()) == teacher_digest_) return;
  throw workloads::TrialFailure("distillation.teacher_mutated",
                                "the weights or the statistics of the teacher changed while a student learned from it");
}

double Distillation::done() const {
  const double teacher = teacher_ ? static_cast<double>(trial_.integer("teacher_epochs")) : 0,
               student = static_cast<double>(trial_.integer("epochs"));
  const double taught = teacher_ ? static_cast<double>(teacher_->epochs_done()) : 0;
  return over_ ? 1 : (taught + static_cast<double>(student_.training().epochs_done())) / (teacher + student);
}

std::string Distillation::models_text() const {
  const auto describe = [](const nn::Identity& model) {
    return Json{{"name", model.name},   {"parameters", model.parameters}, {"macs", model.macs},
                {"depth", model.depth}, {"block", model.block},           {"shortcut", model.shortcut}};
  };
  Json text{{"student", describe(student_.model().identity())},
            {"normalisation", {{"mean", inputs_.normalisation.mean}, {"sd", inputs_.normalisation.sd}}}};
  if (teacher_) text["teacher"] = describe(teacher_->model().identity());
  return results::printed(text);
}

void Distillation::save(std::ostream& stream) const {
  nn::StateWriter to(stream);
  to.text("distillation", trial_.identity);
  to.number("flags", (over_ ? 1U : 0U) | (warned_ ? 2U : 0U));
  to.text("teacher_digest", teacher_digest_);
  to.real("train_seconds", train_seconds_);
  to.real("eval_seconds", eval_seconds_);
  to.real("evaluated", evaluated_);
  selection_.save(to);
  if (teacher_) teacher_->save(to);
  student_.save(to);
}

void Distillation::load(std::istream& stream) {
  nn::StateReader from(stream);
  if (from.text("distillation") != trial_.identity)
    throw workloads::TrialFailure("checkpoint.other_trial", "the saved state is of another trial");
  const std::uint64_t flags = from.number("flags");
  over_ = (flags & 1) != 0;
  warned_ = (flags & 2) != 0;
  teacher_digest_ = from.text("teacher_digest");
  train_seconds_ = from.real("train_seconds");
  eval_seconds_ = from.real("eval_seconds");
  evaluated_ = from.real("evaluated");
  selection_.load(from);
  if (teacher_) teacher_->load(from);
  student_.load(from);
}

const workloads::RegisterStart started{"distillation",
                                       [](const Trial& trial, const Place& place) -> std::unique_ptr<workloads::Run> {
                                         return std::make_unique<Distillation>(trial, place);
                                       }};

}  // namespace
}  // namespace retrial::distillation
