#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/pruning/cascades.hpp"
#include "harness/report/sections.hpp"

/// The tables of a pruning study, each a section for people and the same numbers for programs.
namespace retrial::harness {

struct ViewChoice {
  std::optional<double> delta;  ///< margin of prune potential in percentage points; left out: the judged one
};

struct PruningView {
  std::string flag;  ///< of retrial report
  std::string meaning;
  Part (*make)(const PruningStudy& study, const ViewChoice& choice) = nullptr;
};
/// One row a view, in the order of a report.
[[nodiscard]] const std::vector<PruningView>& pruning_views();

/// How much can be removed, by both rules, and what the baseline is worse by. Error{usage} for a margin that was not
/// recorded.
[[nodiscard]] Part potential_view(const PruningStudy& study, const ViewChoice& choice);
/// How much more a pruned network loses under the shifted distributions than its parent does.
[[nodiscard]] Part excess_view(const PruningStudy& study, const ViewChoice& choice);
/// How far pruned networks are from their parent under noise.
[[nodiscard]] Part distance_view(const PruningStudy& study, const ViewChoice& choice);
/// How sure each network is of the true class by the pixels that another one chose.
[[nodiscard]] Part backselect_view(const PruningStudy& study, const ViewChoice& choice);
/// Errors under each distribution, against those of the parent.
[[nodiscard]] Part mce_view(const PruningStudy& study, const ViewChoice& choice);
/// How much smaller a network is, in parameters and in multiplications, and how much faster it was measured to be.
[[nodiscard]] Part size_view(const PruningStudy& study, const ViewChoice& choice);

/// What must be said beside every table: one pair, masks of single weights, parents that guess, trials to come.
[[nodiscard]] std::vector<report::Block> pruning_notes(const PruningStudy& study);

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

}  // namespace retrial::harness
