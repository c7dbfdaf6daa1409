#include "harness/metric_summary.hpp"

#include <algorithm>
#include <cmath>

#include "results/error.hpp"
#include "results/text.hpp"
#include "variance/summary.hpp"

namespace retrial::harness {
namespace {

/// Values by (metric, variant) in plan order.
using Columns = std::map<std::pair<std::string, std::string>, std::vector<double>>;

Columns columns_of(const results::Store& store, const std::vector<PlannedTrial>& trials) {
  Columns out;
  for (const auto& trial : trials) {
    if (trial.state != TrialState::done) continue;
    for (const auto& [metric, value] : final_values(store, *trial.row))
      out[{metric, trial.entry.variant}].push_back(value);
  }
  return out;
}

MetricSummary summary_of(const results::MetricDef& def, const std::string& variant, const std::vector<double>& values) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double v) { return std::isfinite(v); });
  MetricSummary out{.def = def,
                    .variant = variant,
                    .n = static_cast<std::int64_t>(finite.size()),
                    .non_finite = static_cast<std::int64_t>(values.size() - finite.size())};
  if (finite.empty()) return out;
  out.mean = variance::mean(finite);
  out.sd = variance::sd(finite);
  out.median = variance::median(finite);
  out.least = *std::min_element(finite.begin(), finite.end());
  out.greatest = *std::max_element(finite.begin(), finite.end());
  return out;
}

std::vector<results::MetricDef> in_order(std::vector<results::MetricDef> defs,
                                         const std::optional<std::string>& judged) {
  const auto key = [&](const results::MetricDef& def) {
    return std::tuple(judged != def.name, def.nature != results::Nature::outcome, def.name);
  };
  std::sort(defs.begin(), defs.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return defs;
}

}  // namespace

FinalValues final_values(const results::Store& store, const results::TrialRow& row) {
  FinalValues out;
  for (const auto& metric : store.metrics(row.id))
    if (metric.step == -1) out[metric.name] = metric.value;
  return out;
}

results::MetricDef metric_named(const std::vector<results::MetricDef>& defs, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& def : defs) {
    if (def.name == name) return def;
    known.push_back(def.name);
  }
  const auto near = results::nearest(name, known);
  throw Error({.code = "metric.unknown",
               .field = "--metric",
               .value = results::one_line(name, 100),
               .problem = "no trial of this store has such a metric",
               .allowed = results::joined(known),
               .help = near ? "did you mean --metric " + *near + "?" : ""});
}

std::vector<MetricSummary> summarise(const results::Store& store, const StudyView& study,
                                     const std::vector<PlannedTrial>& trials, const std::optional<std::string>& only) {
  auto defs = in_order(store.metric_defs(), study.metric);
  if (only) defs = {metric_named(defs, *only)};
  const Columns columns = columns_of(store, trials);
  std::vector<MetricSummary> out;
  for (const auto& def : defs)
    for (const auto& variant : study.variants)
      if (const auto found = columns.find({def.name, variant.name}); found != columns.end())
        out.push_back(summary_of(def, variant.name, found->second));
  return out;
}

}  // namespace retrial::harness
