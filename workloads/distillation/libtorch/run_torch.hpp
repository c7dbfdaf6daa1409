#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "workloads/distillation/keys/inputs.hpp"
#include "workloads/distillation/libtorch/student_torch.hpp"
#include "workloads/distillation/libtorch/teacher_torch.hpp"
#include "workloads/distillation/methods/selection.hpp"
#include "workloads/interface/trial/probe.hpp"
#include "workloads/interface/trial/run.hpp"

namespace retrial::distillation::inline libtorch {

/// One trial: the teachers epoch by epoch, then the student phase by phase, then its evaluation.
class Distillation final : public workloads::Run {
 public:
  Distillation(const workloads::Trial& trial, const workloads::Place& place);
  bool advance(workloads::Recorder& recorder) override;
  void save(std::ostream& to) const override;
  void load(std::istream& from) override;
  /// Answers the probes of the declaration; the run must not be used afterwards.
  [[nodiscard]] workloads::ProbeReport probe();

 private:
  void warn(workloads::Recorder& recorder);
  [[nodiscard]] Teacher* next_teacher() const;
  void advance_teacher(workloads::Recorder& recorder, Teacher& teacher);
  void report_teacher(workloads::Recorder& recorder, const Teacher& teacher, std::int64_t epoch) const;
  void advance_student(workloads::Recorder& recorder);
  void report_student(workloads::Recorder& recorder, const nn::EpochReport& report);
  void report_first_phase(workloads::Recorder& recorder, const nn::EpochReport& report) const;
  void evaluate(workloads::Recorder& recorder);
  void warn_of_logits(workloads::Recorder& recorder, const at::Tensor& logits, const std::string& role) const;
  void compare_with_teacher(workloads::Recorder& recorder, const at::Tensor& logits, const at::Tensor& labels);
  void report_selection(workloads::Recorder& recorder) const;
  void report_cut_schedules(workloads::Recorder& recorder) const;
  void probe_phases(workloads::ProbeReport& report);
  void probe_networks(workloads::ProbeReport& report) const;
  void require_constant_teacher() const;
  [[nodiscard]] at::Tensor student_logits(const at::Tensor& images);
  [[nodiscard]] std::function<void(std::int64_t)> step_digests(workloads::Recorder& recorder, const nn::Model& model,
                                                               std::string name) const;
  [[nodiscard]] double done() const;
  [[nodiscard]] std::string progress_text() const;  ///< "student, epoch 3 of 20"
  [[nodiscard]] std::string models_text() const;

  workloads::Trial trial_;
  workloads::Place place_;
  data::Inputs inputs_;
  std::vector<std::unique_ptr<Teacher>> teachers_;
  Student student_;
  at::Tensor test_images_, test_labels_, valid_images_, valid_labels_;
  at::Tensor test_logits_;                    ///< the current student's; undefined until needed
  std::vector<std::string> teacher_digests_;  ///< trained teachers, before any student step
  Selection selection_;
  bool over_ = false, warned_ = false;
  double train_seconds_ = 0, eval_seconds_ = 0, evaluated_ = 0;
};

}  // namespace retrial::distillation::inline libtorch
