#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/report/report.hpp"
#include "workloads/interface/contribution.hpp"
#include "workloads/pruning/report/cascades.hpp"

/// The tables of a pruning study, each a section for people and the same numbers for programs.
namespace retrial::pruning {

/// One table of results, and the drawing that follows it in the report.
struct Table {
  std::string name, meaning;
  report::Part (*make)(const PruningStudy& study, const Values& set) = nullptr;
  std::vector<report::Block> (*draw)(const PruningStudy& study) = nullptr;
  std::vector<workloads::Parameter> options = {};
};
/// In the order of the report.
[[nodiscard]] const std::vector<Table>& tables();

/// What this workload contributes: a view per table; the section, which holds all of them; and what a reader must know
/// beside every table.
[[nodiscard]] std::vector<workloads::View> views();
[[nodiscard]] report::Part report_section(const workloads::StudyEvidence& evidence);
[[nodiscard]] report::Section report_notes(const workloads::StudyEvidence& evidence);

/// How much can be removed, by both rules, and what the baseline is worse by. `set` may hold "delta", the margin in
/// percentage points; left out: the judged one. Error{usage} for a margin that was not recorded.
[[nodiscard]] report::Part potential_view(const PruningStudy& study, const Values& set);
/// How much more a pruned network loses under the shifted distributions than its parent does.
[[nodiscard]] report::Part excess_view(const PruningStudy& study, const Values& set);
/// How far pruned networks are from their parent under noise.
[[nodiscard]] report::Part distance_view(const PruningStudy& study, const Values& set);
/// How sure each network is of the true class by the pixels that another one chose.
[[nodiscard]] report::Part backselect_view(const PruningStudy& study, const Values& set);
/// Errors under each distribution, against those of the parent.
[[nodiscard]] report::Part mce_view(const PruningStudy& study, const Values& set);
/// How much smaller a network is, in parameters and in multiplications, and how much faster it was measured to be.
[[nodiscard]] report::Part size_view(const PruningStudy& study, const Values& set);

/// "37.2 .. 45.1", or "-" of one pair.
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
