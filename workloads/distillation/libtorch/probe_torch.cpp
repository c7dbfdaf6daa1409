#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linear.h>

#include "workloads/distillation/libtorch/run_torch.hpp"
#include "workloads/distillation/trial/probe_checks.hpp"
#include "workloads/interface/trial/deaf_recorder.hpp"
#include "workloads/interface/trial/probe_checks.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"

namespace retrial::distillation::inline libtorch {
namespace {

using workloads::ProbeReport, workloads::TermShare;

/// Number of rows whose logits are compared one by one.
constexpr std::int64_t looked_at_rows = 16;

std::vector<double> double_values(const at::Tensor& flat) {
  const at::Tensor values = flat.contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

std::span<const float> float_values(const at::Tensor& values) {
  return {values.data_ptr<float>(), static_cast<std::size_t>(values.numel())};
}

/// A declared term that is not in the objective has no gradient.
std::vector<TermShare> declared_shares(const PhasePlan& phase, std::int64_t epoch, const nn::Shares& shares) {
  std::vector<TermShare> out;
  for (const WeightedTerm& term : phase.terms) {
    TermShare share{.name = term.term, .weight = term.weight_at(epoch), .gradient = {}};
    for (const nn::Share& found : shares.terms)
      if (found.name == term.term) share.gradient = double_values(found.gradient);
    if (share.gradient.empty()) share.gradient.resize(static_cast<std::size_t>(shares.total.gradient.numel()));
    out.push_back(std::move(share));
  }
  return out;
}

void add_finding(ProbeReport& report, std::optional<workloads::Finding> finding) {
  if (finding) report.findings.push_back(std::move(*finding));
}

at::Tensor parameter(const nn::Model& model, const std::string& name) {
  for (const auto& [known, tensor] : model.parameters())
    if (known == name) return tensor;
  throw std::logic_error("no parameter " + name);
}

void probe_features(const std::string& what, const nn::Model& model, const nn::Activations& seen,
                    const at::Tensor& together, ProbeReport& report) {
  const at::Tensor from_features =
      nn::on_host(at::linear(seen.pooled, parameter(model, "classifier.weight"), parameter(model, "classifier.bias")))
          .contiguous();
  add_finding(report, check_paths(what + " (classifier on the pooled features)", float_values(together),
                                  float_values(from_features)));
}

void probe_network(const std::string& what, const nn::Model& model, const at::Tensor& images, ProbeReport& report) {
  const at::NoGradGuard no_gradient;
  report.looked_at.push_back(what);
  const at::Tensor together = nn::logits_of(model, images).contiguous();
  const nn::Activations seen = model.forward(nn::on(nn::device_of(model), images), {});
  add_finding(report, check_paths(what, float_values(together), float_values(nn::on_host(seen.logits).contiguous())));
  if (seen.pooled.defined()) probe_features(what, model, seen, together, report);
  std::vector<at::Tensor> rows;
  for (std::int64_t row = 0; row < images.size(0); ++row)
    rows.push_back(nn::logits_of(model, images.narrow(0, row, 1)));
  add_finding(report, workloads::check_batches(what, float_values(at::cat(rows).contiguous()), float_values(together)));
}

}  // namespace

ProbeReport Distillation::probe() {
  workloads::DeafRecorder deaf;
  ProbeReport report;
  while (Teacher* const teacher = next_teacher()) advance_teacher(deaf, *teacher);
  probe_phases(report);
  probe_networks(report);
  return report;
}

/// Each phase: its first batch term by term, then its steps, during which the teachers must not change. A preparation
/// trains the tensors of the losses while the student is constant.
void Distillation::probe_phases(ProbeReport& report) {
  for (const PhasePlan& phase : phases_of(trial_.values)) {
    const std::string where = phase.name.empty() ? "" : " of the phase " + phase.name;
    if (!phase.preparation) {
      const nn::Shares shares = student_.shares();
      const auto declared = declared_shares(phase, 0, shares);
      for (auto& finding : workloads::check_terms(declared, double_values(shares.total.gradient))) {
        finding.subject += where;
        report.findings.push_back(std::move(finding));
      }
      for (const TermShare& term : declared) report.looked_at.push_back("loss term " + term.name + where);
    }
    std::vector<std::string> before;
    for (const auto& teacher : teachers_) before.push_back(determinism::hex(teacher->model().digest()));
    do student_.epoch({});
    while (!student_.phase_finished());
    for (std::size_t t = 0; t < teachers_.size(); ++t)
      add_finding(report,
                  check_frozen(teachers_[t]->name(), before[t], determinism::hex(teachers_[t]->model().digest())));
  }
}

void Distillation::probe_networks(ProbeReport& report) const {
  const at::Tensor images = test_images_.narrow(0, 0, std::min(looked_at_rows, test_images_.size(0)));
  probe_network("student", student_.model(), images, report);
  for (const auto& teacher : teachers_) probe_network(teacher->name(), teacher->model(), images, report);
}

}  // namespace retrial::distillation::inline libtorch
