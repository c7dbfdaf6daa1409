#include "harness/gate/measured/found_metrics.hpp"

#include <algorithm>
#include <set>

#include "harness/gate/measured/judged_metrics.hpp"
#include "harness/run/trial_record.hpp"
#include "harness/stored/plan_state.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

using results::MetricDef;

std::vector<std::string> names_of(const std::vector<MetricDef>& defs) {
  std::vector<std::string> out;
  for (const MetricDef& def : defs) out.push_back(def.name);
  return out;
}

void demand_found(const std::string& name, const Bench& bench, const std::vector<MetricDef>& all) {
  const auto fits = [&](const MetricDef& def) {
    return def.name == name || (is_found(def) && asks_for_found({name}, def));
  };
  if (std::ranges::any_of(bench.metrics, fits)) return;
  const auto near = results::nearest(name, names_of(all));
  throw Error({.code = "gate.metric",
               .where = bench.name,
               .field = "metrics",
               .value = results::one_line(name, 100),
               .problem = "no such metric: its programs report no such benchmark",
               .allowed = "real_time, cpu_time, " + results::joined(names_of(all)),
               .help = near ? "did you mean " + *near + "?" : ""});
}

}  // namespace

// Metrics that a workload declares have one value for each trial.
bool is_found(const MetricDef& def) {
  return def.axis == results::Axis::repetition;
}

std::vector<MetricDef> found_metrics(const results::Store& store, const std::vector<results::PlanEntry>& entries) {
  std::vector<MetricDef> out;
  std::set<std::string> recorded;
  for (const auto& trial : plan_state(store, entries))
    if (trial.state == TrialState::done)
      for (const auto& value : store.metrics(trial.row->id)) recorded.insert(value.name);
  for (const MetricDef& def : store.metric_defs())
    if (is_found(def) && recorded.contains(def.name)) out.push_back(def);
  std::ranges::sort(out, {}, &MetricDef::name);
  return out;
}

void learn_metrics(PlannedSuite& suite, const results::Store& store) {
  for (Bench& bench : suite.benches) {
    if (!finds_metrics(bench.study)) continue;
    const auto all = found_metrics(store, bench.plan.entries);
    for (const MetricDef& def : all)
      if (asks_for_found(suite.settings.metrics, def) && std::ranges::find(bench.metrics, def) == bench.metrics.end())
        bench.metrics.push_back(def);
    if (!all.empty())
      for (const std::string& name : suite.settings.metrics) demand_found(name, bench, all);
    if (bench.metrics.empty()) bench.metrics.push_back(worker_costs().front());
  }
}

}  // namespace retrial::harness::inline gate::inline measured
