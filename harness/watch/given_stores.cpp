#include <algorithm>
#include <filesystem>

#include "harness/gate/gate_page.hpp"
#include "harness/gate/gate_settings.hpp"
#include "harness/gate/measured/baseline.hpp"
#include "harness/gate/measured/found_metrics.hpp"
#include "harness/gate/measured/measure.hpp"
#include "harness/gate/measured/stored_suite.hpp"
#include "harness/gate/measured/suite_run.hpp"
#include "harness/gate/suite_of_scores.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/output_files.hpp"
#include "harness/watch/given_runs.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline watch {
namespace {

using results::MetricDef, variance::DetectorEvidence;

constexpr const char* control_name = "control";

/// The name of the control among the sides that a gate runs; empty for the kinds that have none.
std::string control_run(const Arguments& arguments, DetectorEvidence evidence) {
  return evidence == DetectorEvidence::paired_sign ? arguments.value("control").value_or(control_name) : "";
}

std::vector<std::string> names_of(const std::vector<MetricDef>& metrics) {
  std::vector<std::string> out;
  for (const MetricDef& def : metrics) out.push_back(def.name);
  return out;
}

std::map<std::string, std::string> machine_in(const results::Store& store) {
  std::map<std::string, std::string> out;
  for (const auto& [key, values] : machine_facts(store, gate_studies(store))) out[key] = results::joined(values);
  return out;
}

/// The metrics that a store of a gate judged; those of --metric where it is given.
std::vector<MetricDef> metrics_in(const results::Store& store, const Arguments& arguments) {
  const auto wanted = arguments.values("metric");
  std::vector<MetricDef> out;
  std::vector<std::string> known;
  for (const auto& [_, bench] : stored_benches(store))
    for (const MetricDef& def : bench.metrics) {
      if (std::ranges::find(known, def.name) != known.end()) continue;
      known.push_back(def.name);
      if (wanted.empty() || std::ranges::find(wanted, def.name) != wanted.end()) out.push_back(def);
    }
  for (const std::string& name : wanted) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto near = results::nearest(name, known);
    throw Error({.code = "gate.metric",
                 .where = store.path().string(),
                 .field = "--metric",
                 .value = results::one_line(name, 100),
                 .problem = "was not judged by the gate of this store",
                 .allowed = results::joined(known),
                 .help = near ? "did you mean --metric " + *near + "?" : ""});
  }
  return out;
}

results::Store gate_store(const std::string& file) {
  results::Store store(existing_store(file), results::Store::Access::read);
  demand_gate(store, results::one_line(file, 200), "gate.store");
  return store;
}

/// Claims without a trial on any side are those of benchmarks that the sides do not share with the control.
void drop_empty(GateSuite& suite) {
  std::erase_if(suite.claims, [](const GateClaim& c) { return c.trials[base].empty() && c.trials[head].empty(); });
}

/// The baseline beside its second runs.
GateSuite control_in(const Arguments& arguments, const GateSuite& judged, const results::Store& candidate,
                     const std::vector<MetricDef>& metrics, WatchNames& names) {
  GateSuite out = judged;
  for (GateClaim& claim : out.claims) claim.trials[head].clear();
  const std::string word = arguments.value("control").value_or(control_name);
  names.control = word;
  if (is_store(word)) {
    const results::Store store = gate_store(word);
    put_stored_side(out, head, store, metrics);
    out.differences = machine_differences(machine_facts(candidate, gate_studies(candidate)),
                                          machine_facts(store, gate_studies(store)));
    names.control = store.path().filename().string();
  } else {
    put_stored_variant(out, head, candidate, metrics, word);
  }
  drop_empty(out);
  out.candidate = names.control;
  if (std::ranges::all_of(out.claims, [](const GateClaim& claim) { return claim.trials[head].empty(); }))
    throw Error({.exit = Exit::incomparable,
                 .code = "watch.control",
                 .where = candidate.path().string(),
                 .field = "--control",
                 .value = results::one_line(word, 200),
                 .problem = "is no variant of this store: the baseline was not measured a second time",
                 .help = "retrial gate --kind paired_sign with --command or a suite file runs it in every block; or "
                         "--control STORE names a store of its own"});
  return out;
}

/// The store of the runs of one commit: each has programs of its own.
std::filesystem::path store_of_commit(const Arguments& arguments, const std::string& suite, const std::string& commit) {
  if (const auto given = arguments.value("db")) return *given;
  std::string name = short_commit(commit);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_') c = '-';
  return suite + "-" + name + ".db";
}

}  // namespace

GivenRuns runs_of_stores(const Arguments& arguments, DetectorEvidence evidence) {
  const auto baseline = given_baseline(arguments);
  const GivenStore given = given_candidate(arguments);
  const results::Store& candidate = given.store;
  const auto metrics = metrics_in(candidate, arguments);
  GivenRuns out{.inputs = {}, .names = {}, .statistic = Statistic::automatic};
  out.statistic = gate_settings(arguments, table_of_design(stored_benches(candidate).begin()->second.design)).statistic;
  out.names.baseline = baseline->store.path().filename().string();
  out.names.candidate = candidate.path().filename().string();
  GateSuite& judged = out.inputs.judged;
  judged.baseline = out.names.baseline, judged.candidate = out.names.candidate;
  put_stored_side(judged, base, *baseline, metrics);
  put_stored_side(judged, head, given, metrics);
  judged.differences = machine_differences(machine_facts(baseline->store, gate_studies(baseline->store)),
                                           machine_facts(candidate, gate_studies(candidate)));
  require_one_machine(judged, arguments);
  out.inputs.machine = machine_in(candidate);
  if (evidence == DetectorEvidence::paired_sign) {
    out.inputs.control = control_in(arguments, judged, candidate, metrics, out.names);
    require_one_machine(*out.inputs.control, arguments);
  }
  out.inputs.reference = reference_given(arguments, names_of(metrics));
  return out;
}

GivenRuns runs_made(const Arguments& arguments, DetectorEvidence evidence, const std::string& commit) {
  const SignalWatch signals;
  PlannedSuite suite = planned_suite(arguments, RunSides::watched, control_run(arguments, evidence));
  const auto path = store_of_commit(arguments, suite.name, commit);
  const SeedFrom seed = plan_all(suite, path, arguments);
  results::Store store(path, results::Store::Access::write);
  (void)keep_commits(store, arguments, suite);
  store_plans(store, suite, seed);
  print_seed_note(seed, *suite.benches.front().study.seed, false);
  GivenRuns out{.inputs = {}, .names = {}, .statistic = suite.settings.statistic};
  out.names.baseline = suite.baseline, out.names.candidate = suite.candidate;
  out.signal = SuiteRun(arguments, suite, store).up_to(suite.pairs()).signal;
  if (out.signal != 0) return out;
  learn_metrics(suite, store);
  out.inputs.judged = stored_suite(store, suite, suite.pairs());
  out.inputs.machine = machine_in(store);
  if (evidence == DetectorEvidence::paired_sign) {
    out.names.control = control_run(arguments, evidence);
    PlannedSuite again = suite;
    again.candidate = out.names.control;
    out.inputs.control = stored_suite(store, again, suite.pairs());
  }
  out.inputs.reference = reference_given(arguments, names_of(suite.metrics()));
  return out;
}

void print_runs(const Arguments& arguments, DetectorEvidence evidence) {
  print_suite(arguments, RunSides::watched, control_run(arguments, evidence));
}

std::optional<GateSuite> reference_given(const Arguments& arguments, const std::vector<std::string>& metrics) {
  const auto files = arguments.values("reference");
  if (files.empty()) return {};
  if (std::ranges::all_of(files, [](const std::string& file) { return is_store(file); })) {
    GateSuite out{.baseline = "reference", .candidate = {}, .claims = {}, .differences = {}, .notes = {}};
    for (const std::string& file : files) {
      const results::Store store = gate_store(file);
      auto defs = store.metric_defs();
      std::erase_if(defs, [&](const MetricDef& def) { return std::ranges::find(metrics, def.name) == metrics.end(); });
      put_stored_side(out, base, store, defs);
    }
    // Pairs of two stores have the same numbers, and each run of a reference counts alone.
    for (GateClaim& claim : out.claims)
      for (GateTrial& trial : claim.trials[base]) trial.pair.reset();
    return out;
  }
  auto inputs = score_inputs(files, roles_given(arguments));
  for (ScoreInput& one : inputs) one.variant = "reference";
  const ScoreTable runs = read_score_table(inputs, arguments.value("format"));
  const auto names = runs.variants();
  if (names.size() > 1)
    throw Error({.code = "watch.reference",
                 .where = runs.name,
                 .field = "--reference",
                 .problem = "holds " + std::to_string(names.size()) + " variants: the runs of one baseline are meant"});
  return suite_of_scores(
      runs, {.baseline = names.front(), .candidate = "", .metrics = metrics, .direction = direction_given(arguments)});
}

}  // namespace retrial::harness::inline watch
