#include "harness/pruning/cascades.hpp"

#include <algorithm>
#include <cmath>

#include "results/error.hpp"
#include "workloads/pruning/distributions.hpp"
#include "workloads/pruning/keys.hpp"
#include "workloads/pruning/metrics.hpp"
#include "workloads/registry.hpp"

namespace retrial::harness {
namespace {

Json artifact(const std::vector<results::ArtifactValue>& artifacts, const std::string& name) {
  for (const auto& one : artifacts)
    if (one.name == name && one.body) return results::parse_json(*one.body, "artifact " + name);
  return nullptr;
}

using Errors = std::map<std::string, std::vector<metrics::Step>>;

void add_rows(const std::string& distribution, std::int64_t images, const std::vector<metrics::Step>& networks,
              const std::vector<double>& deltas, Json& to) {
  const std::vector<metrics::Step> pruned(networks.begin() + 1, networks.end());
  for (const double delta : deltas) {
    const auto found = metrics::potential(networks.front().errors, pruned, images, delta);
    to.push_back({{"distribution", distribution},
                  {"delta", delta},
                  {"max", found.max},
                  {"first_failure", found.first_failure},
                  {"grid_below", found.grid.below},
                  {"grid_above", found.grid.above ? Json(*found.grid.above) : Json()}});
  }
}

std::vector<double> all_deltas(const Values& values) {
  std::vector<double> out = prune::deltas_of(values);
  for (const double delta : metrics::potential_deltas())
    if (std::find(out.begin(), out.end(), delta) == out.end()) out.push_back(delta);
  std::sort(out.begin(), out.end());
  return out;
}

/// The table of a study of forty distributions is larger than what a store keeps in a row. The counts of errors that it
/// was made from stand with every step.
Json potential_of(const std::vector<results::ArtifactValue>& artifacts, const Cascade& run, const Values& values) {
  Errors errors;
  std::map<std::string, std::int64_t> images;
  Json ratios = Json::array(), table = Json::array();
  const auto found = run.series.find("pr_w");
  if (found == run.series.end()) return nullptr;
  for (const auto& [step, ratio] : found->second) {
    const Json one = artifact(artifacts, "step_" + std::to_string(step));
    if (one.is_null() || one.value("state", "") != "retrained") continue;
    ratios.push_back(ratio);
    for (const auto& [distribution, counts] : one.at("errors").items()) {
      errors[distribution].push_back({.pr = ratio, .errors = counts.at("wrong").get<std::int64_t>()});
      images[distribution] = counts.at("images").get<std::int64_t>();
    }
  }
  auto names = prune::distribution_names(values);
  for (std::string& name : prune::noise_names(values)) names.push_back(std::move(name));
  for (const std::string& distribution : names)
    if (errors.contains(distribution))
      add_rows(distribution, images.at(distribution), errors.at(distribution), all_deltas(values), table);
  if (table.empty()) return nullptr;
  const bool untrained = metrics::at_chance(errors.at(prune::nominal).front().errors, images.at(prune::nominal),
                                            data::data_set_of(values).classes);
  return {{"pr", ratios}, {"parent_untrained", untrained}, {"potential", std::move(table)}};
}

Cascade read_cascade(const results::Store& store, const PlannedTrial& trial, const Values& values) {
  Cascade out{.pair = trial.entry.pair_index, .series = {}, .finals = {}};
  for (const auto& point : store.metrics(trial.row->id))
    if (point.step >= 0)
      out.series[point.name][point.step] = point.value;
    else
      out.finals[point.name] = point.value;
  const auto artifacts = store.artifacts(trial.row->id);
  out.potential = artifact(artifacts, "potential");
  if (out.potential.is_null() && prune::pipeline_of(values).prunes)
    out.potential = potential_of(artifacts, out, values);
  out.backselect = artifact(artifacts, "backselect");
  return out;
}

Values values_of(const VariantView& variant) {
  Values out;
  for (const auto& parameter : workloads::find_workload(prune::workload_name, "").parameters)
    out[parameter.name] =
        variant.values.contains(parameter.name)
            ? results::value_from_canonical(variant.values.at(parameter.name), parameter.fallback, parameter.name)
            : parameter.fallback;
  return out;
}

std::optional<variance::Estimate> over_runs(const std::vector<std::optional<double>>& found, double alpha) {
  std::vector<double> values;
  for (const auto& value : found)
    if (value && std::isfinite(*value)) values.push_back(*value);
  if (values.empty()) return std::nullopt;
  return metrics::over_seeds(values, alpha);
}

}  // namespace

std::optional<double> Cascade::at(const std::string& metric, std::int64_t step) const {
  const auto found = series.find(metric);
  if (found == series.end() || !found->second.contains(step)) return std::nullopt;
  return found->second.at(step);
}

std::vector<std::int64_t> Cascade::steps() const {
  std::vector<std::int64_t> out;
  if (potential.is_null() || !series.contains("pr_w")) return out;
  // A step that was not retrained comes before the one of its ratio that was: from the back, each ratio is met once.
  auto counted = potential.at("pr").get<std::vector<double>>();
  for (auto point = series.at("pr_w").rbegin(); point != series.at("pr_w").rend(); ++point) {
    const bool parent = point->first == 0, met = counted.size() > 1 && counted.back() == point->second;
    if (!parent && !met) continue;
    out.push_back(point->first);
    counted.pop_back();
  }
  std::reverse(out.begin(), out.end());
  return out;
}

bool Cascade::untrained() const {
  return !potential.is_null() && potential.value("parent_untrained", false);
}

std::optional<variance::Estimate> VariantCascades::mean(const std::string& metric, double alpha) const {
  std::vector<std::optional<double>> found;
  for (const Cascade& run : runs)
    found.push_back(run.finals.contains(metric) ? std::optional(run.finals.at(metric)) : std::nullopt);
  return over_runs(found, alpha);
}

std::optional<variance::Estimate> VariantCascades::mean(const std::string& metric, std::int64_t step,
                                                        double alpha) const {
  std::vector<std::optional<double>> found;
  for (const Cascade& run : runs) found.push_back(run.at(metric, step));
  return over_runs(found, alpha);
}

std::vector<std::pair<std::int64_t, double>> VariantCascades::ratios() const {
  std::map<std::int64_t, std::vector<double>> by_step;
  for (const Cascade& run : runs)
    for (const std::int64_t step : run.steps()) by_step[step].push_back(run.series.at("pr_w").at(step));
  std::vector<std::pair<std::int64_t, double>> out;
  for (const auto& [step, ratios] : by_step)
    if (ratios.size() == runs.size()) out.emplace_back(step, metrics::over_seeds(ratios).point);
  return out;
}

bool PruningStudy::one_pair() const {
  return std::all_of(variants.begin(), variants.end(), [](const auto& v) { return v.runs.size() <= 1; });
}

bool prunes(const StudyView& study) {
  return study.workload == prune::workload_name;
}

PruningStudy read_cascades(const Material& material) {
  const StudyView& study = material.study;
  if (!prunes(study))
    throw Error({.code = "report.not_pruning",
                 .where = "study " + study.name,
                 .field = "workload",
                 .value = study.workload,
                 .problem = "these tables are of the workload pruning",
                 .allowed = "pruning"});
  const auto judged = judged_variants(study);
  PruningStudy out{.material = material,
                   .baseline = study.baseline.value_or(judged.front().name),
                   .alpha = study.design ? study.design->alpha : .05,
                   .variants = {}};
  for (const VariantView& variant : judged) {
    Values values = values_of(variant);
    const bool unstructured = prune::pipeline_of(values).prunes && prune::method_of(values).unstructured();
    VariantCascades cascades{
        .variant = variant.name, .values = std::move(values), .unstructured = unstructured, .runs = {}};
    for (const PlannedTrial& trial : material.trials)
      if (trial.entry.variant == variant.name && trial.state == TrialState::done)
        cascades.runs.push_back(read_cascade(material.store, trial, cascades.values));
    std::sort(cascades.runs.begin(), cascades.runs.end(), [](const auto& a, const auto& b) { return a.pair < b.pair; });
    out.variants.push_back(std::move(cascades));
  }
  return out;
}

std::vector<std::pair<std::int64_t, double>> compared_steps(
    const std::vector<std::pair<std::int64_t, double>>& ratios) {
  std::vector<std::pair<std::int64_t, double>> out;
  for (const double wanted : {15.0, 46.0, 69.0, 80.0, 93.8}) {
    const auto nearer = [&](const auto& a, const auto& b) {
      return std::fabs(a.second - wanted) < std::fabs(b.second - wanted);
    };
    if (ratios.size() < 2) continue;
    const auto nearest = *std::min_element(ratios.begin() + 1, ratios.end(), nearer);  // the parent is no step
    if (out.empty() || out.back().first != nearest.first) out.push_back(nearest);
  }
  return out;
}

}  // namespace retrial::harness
