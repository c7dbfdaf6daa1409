#include "harness/pruning/views.hpp"

#include <algorithm>

#include "harness/numbers.hpp"
#include "harness/output.hpp"
#include "harness/verdict_words.hpp"
#include "results/text.hpp"

namespace retrial::harness {
namespace {

std::string open_text(const Material& material) {
  const auto open = std::count_if(material.trials.begin(), material.trials.end(),
                                  [](const PlannedTrial& t) { return t.state != TrialState::done; });
  return std::to_string(open) + " of " + counted(static_cast<std::int64_t>(material.trials.size()), "trial") +
         " are not finished: " +
         (material.study.design ? "no number before the declared verdict" : "these are the pairs so far");
}

}  // namespace

const std::vector<PruningView>& pruning_views() {
  static const std::vector<PruningView> all{
      {"potential", "pruning: how much can be removed, by distribution and both rules", potential_view},
      {"excess", "pruning: how much more pruned networks lose under shifts than their parents", excess_view},
      {"distance", "pruning: how far pruned networks are from their parents under noise", distance_view},
      {"backselect", "pruning: how sure networks are by each other's informative pixels", backselect_view},
      {"mce", "pruning: errors under each distribution against those of the parent", mce_view},
      {"size", "pruning: parameters, multiplications and measured time that are left", size_view}};
  return all;
}

std::vector<report::Block> pruning_notes(const PruningStudy& study) {
  std::vector<report::Block> out;
  if (!study.material.finished) out.emplace_back(report::Warning{open_text(study.material)});
  const bool empty =
      std::all_of(study.variants.begin(), study.variants.end(), [](const auto& v) { return v.runs.empty(); });
  if (study.one_pair())
    out.emplace_back(report::Paragraph{empty ? "no trial gave a result" : "1 pair: no interval, no verdict"});
  std::vector<std::string> unstructured, untrained;
  for (const VariantCascades& variant : study.variants) {
    if (variant.unstructured) unstructured.push_back(variant.variant);
    for (const Cascade& run : variant.runs)
      if (run.untrained()) untrained.push_back(variant.variant + "/" + std::to_string(run.pair));
  }
  if (!unstructured.empty())
    out.emplace_back(report::Paragraph{"unstructured: no speed-up expected (" + results::joined(unstructured) + ")"});
  if (!untrained.empty())
    out.emplace_back(report::Warning{"parent untrained, potentials mean nothing: " + results::joined(untrained)});
  return out;
}

std::string range_text(const std::optional<variance::Estimate>& estimate) {
  if (!estimate || !estimate->low || !estimate->high) return "-";
  return short_text(*estimate->low) + " .. " + short_text(*estimate->high);
}

std::string point_text(const std::optional<variance::Estimate>& estimate) {
  return estimate ? short_text(estimate->point) : "-";
}

Json estimate_json(const std::optional<variance::Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"mean", derived(estimate->point)}, {"low", derived(estimate->low)}, {"high", derived(estimate->high)}};
}

std::string interval_title(const PruningStudy& study) {
  return percent(1 - study.alpha) + " interval";
}

}  // namespace retrial::harness
