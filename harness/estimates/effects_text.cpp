#include "harness/estimates/effects_text.hpp"

#include "harness/estimates/estimate_document.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/json/json.hpp"

namespace retrial::harness::inline estimates {
namespace {

/// "medium by the convention of Cohen 1988": a word only where one is in common use.
std::string convention_words(const variance::EffectSize& size) {
  if (size.label.empty()) return "";
  return ", " + std::string(size.label) + " by the convention of " + std::string(size.convention);
}

Json size_document(const variance::EffectSize& size) {
  const bool standardized = size.kind == variance::EffectKind::standardized;
  return {{"name", size.name},
          {"kind", standardized ? "standardized" : "ordinal"},
          {"measures", size.measures},
          {"estimate", estimate_json(size.estimate)},
          {"on_page", size.leads},
          {"label", size.label.empty() ? Json() : Json(size.label)},
          {"convention", size.convention.empty() ? Json() : Json(size.convention)}};
}

}  // namespace

std::vector<report::Fact> effect_facts(const MeasuredEffects& measured, const ShownEffects& shown) {
  std::vector<report::Fact> out;
  for (const auto& size : measured.effects.sizes) {
    const bool standardized = size.kind == variance::EffectKind::standardized;
    if (!size.leads || !(standardized ? shown.standardized : shown.ordinal)) continue;
    const double point = size.estimate.point;
    out.push_back({std::string(size.measures), standardized ? signed_text(point) : short_text(point),
                   shown.interval(size.estimate) + "; " + std::string(size.name) + convention_words(size)});
  }
  if (shown.spread && measured.effects.sd_ratio)
    out.push_back({"sd of " + measured.candidate + " / sd of " + measured.baseline,
                   short_text(measured.effects.sd_ratio->point),
                   shown.interval(*measured.effects.sd_ratio) + "; below 1: " + measured.candidate + " is steadier"});
  return out;
}

Json effects_document(const std::optional<MeasuredEffects>& measured) {
  if (!measured) return {};
  Json sizes = Json::array();
  for (const auto& size : measured->effects.sizes) sizes.push_back(size_document(size));
  const auto& ratio = measured->effects.sd_ratio;
  return {{"n_candidate", measured->candidate_runs},
          {"n_baseline", measured->baseline_runs},
          {"sizes", sizes},
          {"sd_ratio", ratio ? estimate_json(*ratio) : Json()}};
}

}  // namespace retrial::harness::inline estimates
