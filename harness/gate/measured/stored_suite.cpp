#include "harness/gate/measured/stored_suite.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/stored/plan_state.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

using results::MetricDef;

/// Final values by metric, read once each.
class Finals {
 public:
  explicit Finals(const results::Store& store) : store_(store) {}
  std::optional<double> of(const std::string& metric, std::int64_t trial) {
    const auto [found, added] = values_.try_emplace(metric);
    if (added)
      for (const auto& [id, value] : store_.final_values(metric)) found->second[id] = value;
    const auto value = found->second.find(trial);
    return value == found->second.end() ? std::nullopt : std::optional(value->second);
  }

 private:
  const results::Store& store_;
  std::map<std::string, std::map<std::int64_t, double>> values_;
};

GateTrial trial_of(const results::Store& store, Finals& finals, const PlannedTrial& planned, const MetricDef& def) {
  GateTrial out{.pair = planned.entry.pair_index, .started = planned.row->started_ns};
  if (planned.state != TrialState::done) {
    out.failed = true;
    return out;
  }
  if (def.axis == results::Axis::repetition) {
    for (const auto& point : store.metrics(planned.row->id))
      if (point.name == def.name && point.step >= 0) out.values.push_back(point.value);
  } else if (const auto value = finals.of(def.name, planned.row->id)) {
    out.values.push_back(*value);
  }
  out.failed = out.values.empty() || std::ranges::any_of(out.values, [](double v) { return !std::isfinite(v); });
  if (out.failed) out.values.clear();
  return out;
}

bool is_counter(const MetricDef& def) {
  return def.name == "instructions" && def.nature == results::Nature::cost;
}

/// "cachegrind": what counted; counts of different counters are no sides of one claim.
std::string counter_problem(const results::Store& store, const std::vector<PlannedTrial>& trials) {
  std::set<std::string> by;
  for (const auto& trial : trials)
    if (trial.state == TrialState::done)
      by.insert(store.json_artifact(trial.row->id, "counted_by").value_or("unknown"));
  if (by.size() < 2) return "";
  return "counted by " + results::joined(std::vector(by.begin(), by.end()), " and ");
}

}  // namespace

GateSuite stored_suite(const results::Store& store, const PlannedSuite& suite, std::int64_t pairs) {
  GateSuite out{.baseline = suite.baseline, .candidate = suite.candidate, .claims = {}, .differences = {}, .notes = {}};
  Finals finals(store);
  for (const Bench& bench : suite.benches) {
    auto trials = plan_state(store, bench.plan.entries);
    std::erase_if(trials, [&](const PlannedTrial& trial) {
      return trial.entry.pair_index >= pairs || !trial.row || trial.state == TrialState::missing ||
             trial.state == TrialState::running;
    });
    for (const MetricDef& def : bench.metrics) {
      GateClaim claim{.workload = bench.name, .metric = def.name, .unit = def.unit};
      claim.direction =
          def.direction == results::Direction::higher ? variance::Direction::higher : variance::Direction::lower;
      claim.absolute = def.scale == results::Scale::absolute;
      claim.test = is_counter(def)                          ? GateTest::counts
                   : def.nature == results::Nature::outcome ? GateTest::paired
                                                            : GateTest::rank;
      if (is_counter(def)) claim.incomparable = counter_problem(store, trials);
      for (const auto& trial : trials)
        claim.trials[trial.entry.variant == suite.baseline ? base : head].push_back(
            trial_of(store, finals, trial, def));
      out.claims.push_back(std::move(claim));
    }
  }
  return out;
}

}  // namespace retrial::harness::inline gate::inline measured
