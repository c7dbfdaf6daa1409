#pragma once

#include <string>
#include <vector>

#include "results/report/report.hpp"
#include "workloads/interface/contribution.hpp"
#include "workloads/interface/evidence.hpp"

/// Report of a study of pipelines: its section, and each table of it as a view.
namespace retrial::pipeline {

/// One variant: its means over pairs, and the artifact of a trial that did not diverge, or of the first. Without
/// `threads_free` delays and counters are the same for all pairs.
struct PipelineVariant {
  const workloads::VariantTrials* of = nullptr;
  Json artifact;  ///< null: no trial has a result
  [[nodiscard]] std::vector<double> finals(const std::string& metric) const;
};
[[nodiscard]] std::vector<PipelineVariant> pipeline_variants(const workloads::StudyEvidence& evidence);

/// "11,236".
[[nodiscard]] std::string grouped(std::int64_t count);

[[nodiscard]] report::Part report_section(const workloads::StudyEvidence& evidence);
/// `delays`, `memory`, `timeline`.
[[nodiscard]] std::vector<workloads::View> views();

[[nodiscard]] report::Part delays_view(const workloads::StudyEvidence& evidence, const Values& set);
[[nodiscard]] report::Part memory_view(const workloads::StudyEvidence& evidence, const Values& set);
/// Timeline: each stage and its sample, for the first samples of each delay model, one pass at a time.
[[nodiscard]] report::Part timeline_view(const workloads::StudyEvidence& evidence, const Values& set);

}  // namespace retrial::pipeline
