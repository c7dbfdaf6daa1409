#include "results/json/json.hpp"
#include "workloads/distillation/libtorch/run_torch.hpp"
#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/trial/remarks.hpp"
#include "workloads/interface/script_name.hpp"
#include "workloads/interface/trial/stopwatch.hpp"
#include "workloads/nn/script/module_torch.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"

namespace retrial::distillation::inline libtorch {
namespace {

constexpr std::int64_t final_step = -1;

}  // namespace

void Distillation::report_teacher(workloads::Recorder& recorder, const Teacher& teacher, std::int64_t epoch) const {
  const nn::EpochMark& mark = teacher.trail()[static_cast<std::size_t>(epoch - 1)];
  recorder.digest(teacher.name() + "_weights", epoch, "psum2", mark.weights);
  recorder.metric(teacher.name() + "_loss", mark.loss, epoch);
}

/// The current student; the comparison with other methods begins with the main phase.
void Distillation::report_first_phase(workloads::Recorder& recorder, const nn::EpochReport& report) const {
  recorder.digest("init_weights", student_.epochs_done(), "psum2", determinism::hex(student_.model().digest()));
  recorder.metric("init_loss", report.loss, student_.epochs_done());
}

void Distillation::report_student(workloads::Recorder& recorder, const nn::EpochReport& report) {
  const std::int64_t epoch = student_.epochs_done();
  recorder.digest("weights", epoch, "psum2", determinism::hex(student_.model().digest()));
  recorder.metric("train_loss", report.loss, epoch);
  for (const auto& [term, value] : report.terms) recorder.metric("loss_" + term, value, epoch);
  for (const auto& [term, norm] : report.gradient_norms) recorder.metric("gradient_" + term, norm, epoch);
  test_logits_ = student_logits(test_images_);
  const double test = nn::percent_equal(nn::predicted(test_logits_), test_labels_);
  recorder.metric("test_accuracy", test, epoch);
  std::optional<double> valid;
  if (valid_labels_.numel() > 0) {
    const at::Tensor logits = student_logits(valid_images_);
    valid = nn::percent_equal(nn::predicted(logits), valid_labels_);
    nn::report_losses(report, logits, valid_labels_);
  }
  selection_.add(test, valid);
}

at::Tensor Distillation::student_logits(const at::Tensor& images) {
  const workloads::Stopwatch watch(eval_seconds_);
  evaluated_ += static_cast<double>(images.size(0));
  return nn::logits_of(student_.model(), images);
}

/// A diverged trial need not have finite ones.
void Distillation::warn_of_logits(workloads::Recorder& recorder, const at::Tensor& logits,
                                  const std::string& role) const {
  if (over_) return;
  const std::string text = nn::not_finite_text(logits, role + " " + trial_.text(role));
  if (!text.empty()) recorder.warning(text);
}

void Distillation::evaluate(workloads::Recorder& recorder) {
  if (!test_logits_.defined()) test_logits_ = student_logits(test_images_);  // resumed, or never trained
  const at::Tensor logits = test_logits_, labels = nn::predicted(logits);
  if (!student_.phase().empty() || student_.epochs_done() == 0)
    selection_.add(nn::percent_equal(labels, test_labels_), std::nullopt);
  warn_of_logits(recorder, logits, "student");
  recorder.digest("weights", final_step, "psum2", determinism::hex(student_.model().digest()));
  recorder.digest("predictions", final_step, "psum2", determinism::hex(nn::predictions_digest(labels, logits)));
  recorder.digest("lr_schedule", final_step, "sha256", results::hex(nn::schedule_digest(student_.rates())));
  if (place_.max_steps > 0) report_cut_schedules(recorder);
  recorder.artifact("models", "json", models_text());
  recorder.artifact("data", "json", data::inputs_text(inputs_));
  if (!teachers_.empty()) compare_with_teacher(recorder, logits, labels);
  report_selection(recorder);
  if (const auto skipped = student_.skipped()) recorder.metric("skipped_terms", *skipped);
  recorder.metric("train_seconds", train_seconds_);
  if (train_seconds_ > 0) recorder.metric("train_rate", static_cast<double>(student_.samples_seen()) / train_seconds_);
  if (eval_seconds_ > 0) recorder.metric("eval_rate", evaluated_ / eval_seconds_);
}

/// Digests of the whole schedules of teachers and earlier phases: a cut training does not complete its own.
void Distillation::report_cut_schedules(workloads::Recorder& recorder) const {
  const auto digest = [&](const std::string& name, const std::vector<double>& rates) {
    recorder.digest(name + "_lr_schedule", final_step, "sha256", results::hex(nn::schedule_digest(rates)));
  };
  for (const auto& teacher : teachers_) {
    const nn::Protocol& protocol = teacher->plan().protocol;
    digest(teacher->name(), nn::learning_rates(protocol.schedule, static_cast<int>(protocol.epochs)));
  }
  digest("init", student_.earlier_rates());
}

void Distillation::compare_with_teacher(workloads::Recorder& recorder, const at::Tensor& logits,
                                        const at::Tensor& labels) {
  require_constant_teacher();
  std::vector<at::Tensor> outputs;
  for (const auto& taught : teachers_) {
    if (!taught->trained()) break;  // its tutor diverged
    outputs.push_back(nn::logits_of(taught->model(), test_images_));
    recorder.digest(taught->name(), final_step, "psum2", determinism::hex(taught->model().digest()));
    const double reached = nn::percent_equal(nn::predicted(outputs.back()), test_labels_);
    recorder.metric(taught->name() + "_accuracy", reached);
    if (place_.max_steps > 0) continue;
    warn_of_logits(recorder, outputs.back(), taught->name());
    if (teacher_shares_rows(trial_.values)) continue;  // the known levels are those of all rows
    if (const std::string weak = weak_teacher(inputs_.set->name, taught->plan().architecture.name, reached);
        !weak.empty())
      recorder.warning(weak);
  }
  const at::Tensor& teacher = outputs.front();
  recorder.metric("agreement", nn::percent_equal(labels, nn::predicted(teacher)));
  const Weights plain{.temperature = 1, .t_squared = false};
  recorder.metric("kl_to_teacher", soft(logits.to(at::kDouble), teacher.to(at::kDouble), plain).item().toDouble());
}

void Distillation::report_selection(workloads::Recorder& recorder) const {
  recorder.metric("accuracy", selection_.reported(trial_.text("select")));
  recorder.metric("last", selection_.last());
  recorder.metric("best_test", selection_.best_test());
  recorder.metric("optimism", selection_.best_test() - selection_.last());
  if (!selection_.best_validation()) return;
  recorder.metric("best_val", *selection_.best_validation());
  recorder.metric("test_at_best_val", *selection_.test_at_best_validation());
}

std::string Distillation::models_text() const {
  const auto describe = [](const nn::Identity& model) {
    Json row{{"name", model.name},   {"parameters", model.parameters}, {"macs", model.macs},
             {"depth", model.depth}, {"block", model.block},           {"shortcut", model.shortcut}};
    if (!workloads::names_script(model.name)) return row;
    row["macs"] = row["depth"] = nullptr;
    for (const auto& [name, on] : nn::script_switches()) row["switches"][name] = on;
    return row;
  };
  Json text{{"student", describe(student_.model().identity())},
            {"normalisation", {{"mean", inputs_.normalisation.mean}, {"sd", inputs_.normalisation.sd}}}};
  for (const auto& teacher : teachers_) text[teacher->name()] = describe(teacher->model().identity());
  return results::printed(text);
}

}  // namespace retrial::distillation::inline libtorch
