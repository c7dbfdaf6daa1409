#include "workloads/pruning/report/cascades.hpp"

#include <algorithm>
#include <cmath>

#include "workloads/pruning/keys/distributions.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::pruning {
namespace {

using Errors = std::map<std::string, std::vector<pruning::Step>>;

void add_potentials(const std::string& distribution, std::int64_t images, const std::vector<pruning::Step>& networks,
                    const std::vector<double>& deltas, Json& to) {
  const std::vector<pruning::Step> pruned(networks.begin() + 1, networks.end());
  for (const double delta : deltas) {
    const auto found = pruning::potential(networks.front().errors, pruned, images, delta);
    to.push_back({{"distribution", distribution},
                  {"delta", delta},
                  {"max", found.max},
                  {"first_failure", found.first_failure},
                  {"grid_below", found.grid.below},
                  {"grid_above", found.grid.above ? Json(*found.grid.above) : Json()}});
  }
}

std::vector<double> all_deltas(const Values& values) {
  std::vector<double> out = deltas_of(values);
  for (const double delta : pruning::potential_deltas())
    if (std::find(out.begin(), out.end(), delta) == out.end()) out.push_back(delta);
  std::sort(out.begin(), out.end());
  return out;
}

/// Older records do not have the number, and are of sets that are known by name.
int classes_of(const workloads::FinishedTrial& trial, const Values& values) {
  const Json data = trial.artifact("data");
  return data.is_object() && data.contains("classes") ? data.at("classes").get<int>()
                                                      : data::data_set_of(values).classes;
}

/// The table of a study with forty distributions is larger than the limit of a row in the store. Each step has the
/// counts of errors for it.
Json potential_of(const workloads::FinishedTrial& trial, const Values& values) {
  Errors errors;
  std::map<std::string, std::int64_t> images;
  Json ratios = Json::array(), table = Json::array();
  const auto found = trial.series.find("pr_w");
  if (found == trial.series.end()) return nullptr;
  for (const auto& [step, ratio] : found->second) {
    const Json one = trial.artifact("step_" + std::to_string(step));
    if (one.is_null() || one.value("state", "") != "retrained") continue;
    ratios.push_back(ratio);
    for (const auto& [distribution, counts] : one.at("errors").items()) {
      errors[distribution].push_back({.pr = ratio, .errors = counts.at("wrong").get<std::int64_t>()});
      images[distribution] = counts.at("images").get<std::int64_t>();
    }
  }
  auto names = distribution_names(values);
  for (std::string& name : noise_names(values)) names.push_back(std::move(name));
  for (const std::string& distribution : names)
    if (errors.contains(distribution))
      add_potentials(distribution, images.at(distribution), errors.at(distribution), all_deltas(values), table);
  if (table.empty()) return nullptr;
  const bool untrained =
      pruning::at_chance(errors.at(nominal).front().errors, images.at(nominal), classes_of(trial, values));
  return {{"pr", ratios}, {"parent_untrained", untrained}, {"potential", std::move(table)}};
}

CascadeRun read_cascade(const workloads::FinishedTrial& trial, const Values& values) {
  CascadeRun out{.pair = trial.pair,
                 .series = trial.series,
                 .finals = trial.finals,
                 .potential = trial.artifact("potential"),
                 .backselect = trial.artifact("backselect")};
  if (out.potential.is_null() && pipeline_of(values).prunes) out.potential = potential_of(trial, values);
  return out;
}

std::optional<variance::Estimate> over_runs(const std::vector<std::optional<double>>& found, double alpha) {
  std::vector<double> values;
  for (const auto& value : found)
    if (value && std::isfinite(*value)) values.push_back(*value);
  if (values.empty()) return std::nullopt;
  return pruning::over_seeds(values, alpha);
}

}  // namespace

std::optional<double> CascadeRun::at(const std::string& metric, std::int64_t step) const {
  const auto found = series.find(metric);
  if (found == series.end() || !found->second.contains(step)) return std::nullopt;
  return found->second.at(step);
}

std::vector<std::int64_t> CascadeRun::steps() const {
  std::vector<std::int64_t> out;
  if (potential.is_null() || !series.contains("pr_w")) return out;
  // A step that was not retrained comes before the retrained one of the same ratio: from the end, each ratio occurs
  // once.
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

bool CascadeRun::untrained() const {
  return !potential.is_null() && potential.value("parent_untrained", false);
}

std::optional<variance::Estimate> VariantCascades::mean(const std::string& metric, double alpha) const {
  std::vector<std::optional<double>> found;
  for (const CascadeRun& run : runs)
    found.push_back(run.finals.contains(metric) ? std::optional(run.finals.at(metric)) : std::nullopt);
  return over_runs(found, alpha);
}

std::optional<variance::Estimate> VariantCascades::mean(const std::string& metric, std::int64_t step,
                                                        double alpha) const {
  std::vector<std::optional<double>> found;
  for (const CascadeRun& run : runs) found.push_back(run.at(metric, step));
  return over_runs(found, alpha);
}

std::vector<std::pair<std::int64_t, double>> VariantCascades::ratios() const {
  std::map<std::int64_t, std::vector<double>> by_step;
  for (const CascadeRun& run : runs)
    for (const std::int64_t step : run.steps()) by_step[step].push_back(run.series.at("pr_w").at(step));
  std::vector<std::pair<std::int64_t, double>> out;
  for (const auto& [step, ratios] : by_step)
    if (ratios.size() == runs.size()) out.emplace_back(step, pruning::over_seeds(ratios).point);
  return out;
}

bool PruningStudy::one_pair() const {
  return std::all_of(variants.begin(), variants.end(), [](const auto& v) { return v.runs.size() <= 1; });
}

PruningStudy read_cascades(const workloads::StudyEvidence& evidence) {
  PruningStudy out{.evidence = evidence, .variants = {}};
  for (const workloads::VariantTrials& variant : evidence.variants) {
    const bool unstructured = pipeline_of(variant.values).prunes && method_of(variant.values).unstructured();
    VariantCascades cascades{
        .variant = variant.name, .values = variant.values, .unstructured = unstructured, .runs = {}};
    for (const workloads::FinishedTrial& trial : variant.trials)
      cascades.runs.push_back(read_cascade(trial, variant.values));
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
    const auto nearest = *std::min_element(ratios.begin() + 1, ratios.end(), nearer);  // the parent is not a step
    if (out.empty() || out.back().first != nearest.first) out.push_back(nearest);
  }
  return out;
}

}  // namespace retrial::pruning
