#include "harness/judge/design/scale.hpp"

#include <algorithm>

#include "harness/text/numbers.hpp"
#include "results/record/score_bounds.hpp"
#include "results/text/error.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

variance::Direction direction_of(results::Direction direction) {
  return direction == results::Direction::lower ? variance::Direction::lower : variance::Direction::higher;
}

/// Number of test items of the metric, when it is the same for both variants.
std::optional<std::int64_t> test_items_of(const StudyView& study, const variance::Design& design) {
  std::vector<std::optional<std::int64_t>> found;
  for (const auto& variant : study.variants) {
    if (variant.name != design.baseline && variant.name != design.candidate) continue;
    const auto items = variant.test_items.find(design.metric);
    found.push_back(items == variant.test_items.end() ? std::nullopt : std::optional(items->second));
  }
  return found.size() == 2 && found[0] == found[1] ? found[0] : std::nullopt;
}

/// The answer of the declaration under the keys of a variant; nothing if this program does not have the workload, or
/// files that the keys name are gone.
template <typename Answer, typename Ask>
Answer asked(const StudyView& study, const std::string& variant, const Ask& ask) try {
  const auto* declaration = workloads::workload_if_known(study.workload);
  const auto view = std::ranges::find(study.variants, variant, &VariantView::name);
  if (declaration == nullptr || view == study.variants.end()) return {};
  return ask(*declaration, values_of(*declaration, *view));
} catch (const Error&) {
  return {};
}

/// Whether all pairs have the same test items; false for a workload that this program does not have.
bool share_test_items(const StudyView& study) {
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr) return false;
  return std::ranges::none_of(study.vary, [&](const std::string& name) {
    const auto* source = workloads::find_source(*declaration, name);
    return source != nullptr && source->splits_data;
  });
}

}  // namespace

// None of this is part of a stored study: a store of an earlier version is judged by the steps of its grid too.
workloads::ScoreScale scale_of(const StudyView& study, const std::string& variant, const std::string& metric) {
  return asked<workloads::ScoreScale>(
      study, variant, [&](const auto& declaration, const Values& values) { return declaration.scale(values, metric); });
}

std::optional<std::int64_t> effective_items_of(const StudyView& study, const std::string& variant,
                                               const std::string& metric) {
  return asked<std::optional<std::int64_t>>(study, variant, [&](const auto& declaration, const Values& values) {
    return declaration.effective_items(values, metric);
  });
}

std::optional<double> overlap_of(const StudyView& study, const std::string& variant) {
  return asked<std::optional<double>>(study, variant, [&](const auto& declaration, const Values& values) {
    return workloads::overlap_under(declaration, values, study.vary);
  });
}

std::string about_resamples(double overlap) {
  return "new divisions of the same rows, not new data (every two pairs share rows, overlap " + short_text(overlap) +
         "); --test corrected_t is about new data";
}

std::optional<double> untested_overlap(const StudyView& study) {
  std::optional<double> out;
  for (const auto& claim : study.claims.claims)
    if (!claim.overlap)
      for (const auto& variant : claim.variants())
        if (const auto overlap = overlap_of(study, variant)) out = std::max(out.value_or(0), *overlap);
  return out;
}

void set_scale(const StudyView& study, Comparison& out) {
  out.scores.direction = direction_of(out.metric.direction);
  out.scores.scores_in_percent = out.metric.unit == "%";
  out.scores.test_items = test_items_of(study, out.design);
  if (const auto items = effective_items_of(study, out.design.candidate, out.metric.name);
      out.scores.test_items && items == effective_items_of(study, out.design.baseline, out.metric.name))
    out.scores.effective_items = items;
  out.scores.same_test_items = share_test_items(study);
  if (out.scores.test_items && *out.scores.test_items > 0)
    out.scores.resolution = (out.scores.scores_in_percent ? 100.0 : 1.0) / static_cast<double>(*out.scores.test_items);
  out.overlap = overlap_of(study, out.design.candidate);
  if (const auto other = overlap_of(study, out.design.baseline))
    out.overlap = std::max(out.overlap.value_or(0), *other);
  out.candidate_scale = scale_of(study, out.design.candidate, out.design.metric);
  out.baseline_scale = scale_of(study, out.design.baseline, out.design.metric);
  if (out.candidate_scale.resolution && out.candidate_scale.resolution == out.baseline_scale.resolution)
    out.scores.resolution = out.candidate_scale.resolution;
  if (out.candidate_scale.range == out.baseline_scale.range) out.scores.range = out.candidate_scale.range;
}

TrialBounds stored_bounds(const results::Store& store, const std::string& metric) {
  const auto defs = store.metric_defs();
  TrialBounds out;
  if (std::ranges::find(defs, results::bound_of(metric)) == defs.end()) return out;
  for (const auto& [trial, value] : store.final_values(results::bound_name(metric)))
    if (const auto bound = results::bound_from(value); bound != variance::ScoreBound::exact) out.emplace(trial, bound);
  return out;
}

variance::ScoreBound bound_of_trial(const PlannedTrial& trial, const TrialBounds& bounds) {
  const auto found = trial.row ? bounds.find(trial.row->id) : bounds.end();
  return found == bounds.end() ? variance::ScoreBound::exact : found->second;
}

}  // namespace retrial::harness::inline judge::inline design
