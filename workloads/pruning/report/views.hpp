#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/report/report.hpp"
#include "workloads/interface/contribution.hpp"
#include "workloads/pruning/report/cascades.hpp"

/// The tables of a pruning study, each a section for people and the same numbers for programs.
namespace retrial::pruning {

/// One table of results, and its drawing in the report.
struct Table {
  std::string name, meaning;
  report::Part (*make)(const PruningStudy& study, const Values& set) = nullptr;
  std::vector<report::Block> (*draw)(const PruningStudy& study) = nullptr;
  std::vector<workloads::Parameter> options = {};
};
/// In the order of the report.
[[nodiscard]] const std::vector<Table>& tables();

/// The contributions of this workload: a view per table, the section with all of them, and notes for every table.
[[nodiscard]] std::vector<workloads::View> views();
[[nodiscard]] report::Part report_section(const workloads::StudyEvidence& evidence);
[[nodiscard]] report::Section report_notes(const workloads::StudyEvidence& evidence);

/// Prune potential by both rules, and the differences from the baseline. `set` may hold "delta", the margin in
/// percentage points; default: that of the judged metric. Error{usage} for a margin that was not recorded.
[[nodiscard]] report::Part potential_view(const PruningStudy& study, const Values& set);
/// Excess error of pruned networks under the shifted distributions, compared with the parent.
[[nodiscard]] report::Part excess_view(const PruningStudy& study, const Values& set);
/// Distance of pruned networks from their parent under noise.
[[nodiscard]] report::Part distance_view(const PruningStudy& study, const Values& set);
/// Confidence of each network in the true class on the pixels that another one chose.
[[nodiscard]] report::Part backselect_view(const PruningStudy& study, const Values& set);
/// Errors under each distribution, relative to those of the parent.
[[nodiscard]] report::Part mce_view(const PruningStudy& study, const Values& set);
/// Reduction of parameters and multiplications, and the measured speed-up.
[[nodiscard]] report::Part size_view(const PruningStudy& study, const Values& set);

/// "37.2 .. 45.1", or "-" for one pair.
[[nodiscard]] std::string range_text(const std::optional<variance::Estimate>& estimate);
[[nodiscard]] std::string point_text(const std::optional<variance::Estimate>& estimate);
/// {"mean", "low", "high"}, rounded; null without an estimate.
[[nodiscard]] Json estimate_json(const std::optional<variance::Estimate>& estimate);
/// "95 % interval".
[[nodiscard]] std::string interval_title(const PruningStudy& study);

/// Accuracy along the cascade with every seed, potential by distribution, excess error with its band.
[[nodiscard]] std::vector<report::Block> accuracy_figures(const PruningStudy& study);
[[nodiscard]] std::vector<report::Block> potential_figures(const PruningStudy& study);
[[nodiscard]] std::vector<report::Block> excess_figures(const PruningStudy& study);

}  // namespace retrial::pruning
