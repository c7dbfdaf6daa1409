#include "workloads/pruning/report/views.hpp"

#include <algorithm>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"

namespace retrial::pruning {
namespace {

using workloads::Parameter, workloads::StudyEvidence, workloads::View;

View view_of(const Table& table) {
  return {.name = table.name,
          .meaning = table.meaning,
          .options = table.options,
          .make = [make = table.make](const StudyEvidence& evidence, const Values& set) {
            return make(read_cascades(evidence), set);
          }};
}

}  // namespace

const std::vector<Table>& tables() {
  static const Parameter delta{"delta", 0.5, "margin in percentage points (default: that of the judged metric)",
                               workloads::Range{-100, 100}};
  static const std::vector<Table> all{
      {"potential", "prune potential by distribution, with both rules", potential_view, potential_figures, {delta}},
      {"excess", "excess error of pruned networks under shifts, compared with their parents", excess_view,
       excess_figures},
      {"distance", "distance of pruned networks from their parents under noise", distance_view},
      {"backselect", "confidence of networks on each other's informative pixels", backselect_view},
      {"mce", "errors under each distribution, relative to the parent (mCE)", mce_view},
      {"size", "remaining parameters, multiplications and measured time", size_view}};
  return all;
}

std::vector<View> views() {
  std::vector<View> out;
  for (const Table& table : tables()) out.push_back(view_of(table));
  return out;
}

std::string range_text(const std::optional<variance::Estimate>& estimate) {
  if (!estimate || !estimate->low || !estimate->high) return "-";
  return report::short_text(*estimate->low) + " .. " + report::short_text(*estimate->high);
}

std::string point_text(const std::optional<variance::Estimate>& estimate) {
  return estimate ? report::short_text(estimate->point) : "-";
}

Json estimate_json(const std::optional<variance::Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"mean", report::derived(estimate->point)},
          {"low", report::derived(estimate->low)},
          {"high", report::derived(estimate->high)}};
}

std::string interval_title(const PruningStudy& study) {
  return report::percent(1 - study.evidence.alpha) + " interval";
}

}  // namespace retrial::pruning
