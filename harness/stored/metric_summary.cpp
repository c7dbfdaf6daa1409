#include "harness/stored/metric_summary.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <map>
#include <unordered_map>

#include "harness/plan/profile_blocks.hpp"
#include "harness/text/numbers.hpp"
#include "results/record/score_bounds.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline stored {
namespace {

using report::right;

/// Place in the plan of each attempt that counts, by its number in the store.
using Places = std::unordered_map<std::int64_t, std::size_t>;

Places places_by_id(const StudyView& study, const std::vector<PlannedTrial>& trials) {
  Places out;
  for (const std::size_t i : places_of_pairs(study.plan, study.profile))
    if (trials[i].state == TrialState::done) out.emplace(trials[i].row->id, i);
  return out;
}

using Column = std::vector<std::optional<double>>;

/// Final values of one metric by place in the plan. Sums run in plan order, not in the order in which trials ended, so
/// that no last bit depends on the number of jobs.
Column values_in_plan_order(const results::Store& store, const std::string& metric, const Places& places,
                            std::size_t trials) {
  Column out(trials);
  for (const auto& [id, value] : store.final_values(metric))
    if (const auto place = places.find(id); place != places.end()) out[place->second] = value;
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
  out.min = *std::min_element(finite.begin(), finite.end());
  out.max = *std::max_element(finite.begin(), finite.end());
  return out;
}

std::vector<MetricSummary> summaries_of(const results::MetricDef& def, const std::vector<VariantView>& variants,
                                        const std::vector<std::size_t>& variant_of, const Column& values,
                                        const Column& bounds) {
  std::vector<std::vector<double>> columns(variants.size());
  std::vector<std::int64_t> at_least(variants.size()), at_most(variants.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    columns[variant_of[i]].push_back(*values[i]);
    const auto bound = results::bound_from(bounds[i]);
    at_least[variant_of[i]] += bound == variance::ScoreBound::at_least ? 1 : 0;
    at_most[variant_of[i]] += bound == variance::ScoreBound::at_most ? 1 : 0;
  }
  std::vector<MetricSummary> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].empty()) continue;
    out.push_back(summary_of(def, variants[i].name, columns[i]));
    out.back().at_least = at_least[i];
    out.back().at_most = at_most[i];
  }
  return out;
}

/// For each planned trial, the index of its variant in the study.
std::vector<std::size_t> variant_places(const results::Store& store, const StudyView& study,
                                        const std::vector<PlannedTrial>& trials) {
  std::map<std::string, std::size_t> place_of;
  for (const auto& variant : study.variants) place_of.emplace(variant.name, place_of.size());
  std::vector<std::size_t> out;
  out.reserve(trials.size());
  for (const auto& trial : trials) {
    const auto place = place_of.find(trial.entry.variant);
    if (place == place_of.end())
      throw Error({.exit = Exit::integrity,
                   .code = "store.damaged",
                   .where = store.path().string(),
                   .field = "plan.variant",
                   .value = results::one_line(trial.entry.variant, 100),
                   .problem = "is not a variant of this study",
                   .help = "retrial verify lists all damage; restore the file from a copy"});
    out.push_back(place->second);
  }
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

// Sums of one metric overlap with reading the next one from the store.
std::vector<MetricSummary> summarise(const results::Store& store, const StudyView& study,
                                     const std::vector<PlannedTrial>& trials, const std::optional<std::string>& only) {
  auto defs = in_order(store.metric_defs(), study.metric);
  if (only) defs = {metric_named(defs, *only)};
  const auto variant_of = variant_places(store, study, trials);
  const auto places = places_by_id(study, trials);
  std::vector<MetricSummary> out;
  std::future<std::vector<MetricSummary>> summed;
  const auto take = [&] {
    if (summed.valid()) std::ranges::move(summed.get(), std::back_inserter(out));
  };
  const auto known = store.metric_defs();
  for (const auto& def : defs) {
    if (results::is_bound(def)) continue;
    auto values = values_in_plan_order(store, def.name, places, trials.size());
    Column bounds(trials.size());
    if (std::ranges::find(known, results::bound_of(def.name)) != known.end())
      bounds = values_in_plan_order(store, results::bound_name(def.name), places, trials.size());
    take();
    summed = std::async(std::launch::async,
                        [&study, &variant_of, &def, values = std::move(values), bounds = std::move(bounds)] {
                          return summaries_of(def, study.variants, variant_of, values, bounds);
                        });
  }
  take();
  return out;
}

namespace {

/// "3 at least": values that are only bounds.
std::string bounds_text(const MetricSummary& s) {
  std::vector<std::string> parts;
  if (s.at_least > 0) parts.push_back(std::to_string(s.at_least) + " at least");
  if (s.at_most > 0) parts.push_back(std::to_string(s.at_most) + " at most");
  return results::joined(parts);
}

}  // namespace

report::Table metrics_table(const std::vector<MetricSummary>& summaries) {
  const bool diverged = std::ranges::any_of(summaries, [](const auto& s) { return s.non_finite > 0; });
  report::Table out{.caption =
                        "Final values of finished trials (sd divides by n - 1). Nothing is compared here: among "
                        "many metrics, some differ by chance.",
                    .columns = {"metric", "better", "variant", right("n"), right("mean"), right("sd"), right("median"),
                                right("min"), right("max")}};
  const bool bounded = std::ranges::any_of(summaries, [](const auto& s) { return s.at_least + s.at_most > 0; });
  if (diverged) out.columns.push_back(right("not finite"));
  if (bounded) out.columns.push_back({"bounds"});
  for (const auto& s : summaries) {
    out.rows.push_back({with_unit(s.def.name, s.def.unit), std::string(results::name_of(s.def.direction)), s.variant,
                        std::to_string(s.n), or_dash(s.mean), or_dash(s.sd), or_dash(s.median), or_dash(s.min),
                        or_dash(s.max)});
    if (diverged) out.rows.back().push_back(s.non_finite == 0 ? "" : std::to_string(s.non_finite));
    if (bounded) out.rows.back().push_back(bounds_text(s));
  }
  return out;
}

Json json_of(const std::vector<MetricSummary>& summaries) {
  Json out = Json::array();
  for (const auto& s : summaries)
    out.push_back({{"metric", s.def.name},
                   {"unit", s.def.unit},
                   {"direction", results::name_of(s.def.direction)},
                   {"nature", results::name_of(s.def.nature)},
                   {"variant", s.variant},
                   {"n", s.n},
                   {"non_finite", s.non_finite},
                   {"at_least", s.at_least},
                   {"at_most", s.at_most},
                   {"mean", report::derived(s.mean)},
                   {"sd", report::derived(s.sd)},
                   {"median", report::derived(s.median)},
                   {"least", s.min ? Json(*s.min) : Json()},
                   {"greatest", s.max ? Json(*s.max) : Json()}});
  return out;
}

}  // namespace retrial::harness::inline stored
