#include "harness/gate/measured/measure.hpp"

#include <algorithm>
#include <iostream>

#include "harness/gate/gate_page.hpp"
#include "harness/gate/gate_settings.hpp"
#include "harness/gate/looks.hpp"
#include "harness/gate/measured/baseline.hpp"
#include "harness/gate/measured/commits.hpp"
#include "harness/gate/measured/found_metrics.hpp"
#include "harness/gate/measured/judged_metrics.hpp"
#include "harness/gate/measured/known_calibration.hpp"
#include "harness/gate/measured/planned_suite.hpp"
#include "harness/gate/measured/stored_suite.hpp"
#include "harness/gate/measured/suite_design.hpp"
#include "harness/gate/measured/suite_run.hpp"
#include "harness/plan/trial_body.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/run/root_seed.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

std::vector<results::Digest> studies_of(const PlannedSuite& suite) {
  std::vector<results::Digest> out;
  for (const Bench& bench : suite.benches) out.push_back(bench.plan.study_digest);
  return out;
}

/// A baseline that is there is continued by the same suite, and replaced by none.
void demand_same_baseline(const std::filesystem::path& path, const PlannedSuite& suite) {
  const results::Store store(path, results::Store::Access::read);
  const auto stored = stored_benches(store);
  for (const Bench& bench : suite.benches) {
    const auto found = stored.find(bench.name);
    const bool same = found != stored.end() && found->second.study == bench.plan.study_digest;
    if (same || (stored.empty() && store.studies().empty())) continue;
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.baseline",
                 .where = path.string(),
                 .problem = "is the baseline of another suite, command or setting, and is never replaced",
                 .help = "choose another file"});
  }
}

/// The trials of this run beside those of a stored baseline.
GateSuite beside_baseline(GateSuite suite, const PlannedSuite& planned, const results::Store& ours,
                          const std::optional<GivenStore>& baseline) {
  for (GateClaim& claim : suite.claims) std::swap(claim.trials[base], claim.trials[head]);
  if (!baseline) return suite;
  put_stored_side(suite, base, *baseline, with_found(planned.metrics(), baseline->store, planned.settings.metrics));
  suite.differences = machine_differences(machine_facts(baseline->store, gate_studies(baseline->store)),
                                          machine_facts(ours, studies_of(planned)));
  suite.notes.push_back(
      "the baseline is stored, so the two sides did not take turns: times need --allow-sequential, "
      "counts do not");
  return suite;
}

/// The candidate of a suite beside an anchor.
void put_anchor(GateSuite& suite, const PlannedSuite& planned, const results::Store& ours, const GivenStore& anchor) {
  GateSuite anchored = suite;
  anchored.baseline = anchor.store.path().filename().string();
  for (GateClaim& claim : anchored.claims) claim.trials[base].clear(), claim.alone.reset();
  put_stored_side(anchored, base, anchor, with_found(planned.metrics(), anchor.store, planned.settings.metrics));
  anchored.differences = machine_differences(machine_facts(anchor.store, gate_studies(anchor.store)),
                                             machine_facts(ours, studies_of(planned)));
  add_anchor(suite, std::move(anchored), planned.settings.allow_diff);
}

}  // namespace

/// The pairs that this launch completes.
std::int64_t end_of_launch(const PlannedSuite& suite, const results::Store& store, bool retry_failed) {
  if (suite.settings.launches == 1) return suite.pairs();
  const std::int64_t first_open = first_open_pair(store, suite, retry_failed);
  for (const std::int64_t end : launch_ends(suite.pairs(), suite.settings.launches))
    if (end > first_open) return end;
  return suite.pairs();
}

Measured measure_and_judge(const Arguments& arguments) {
  const SignalWatch signals;
  const auto baseline = given_baseline(arguments);
  const auto anchor = given_anchor(arguments);
  const bool stored = arguments.has("baseline");
  PlannedSuite suite = planned_suite(arguments, stored ? RunSides::candidate : RunSides::both);
  if (stored) suite.baseline = arguments.value("baseline").value_or("");
  if (stored && suite.settings.launches > 1)
    refuse_usage("launches", "is about two sides that are run in turns, and this baseline is stored", "leave it out");
  const auto path = suite_store(arguments, suite.name);
  const SeedFrom seed = plan_all(suite, path, arguments);
  results::Store store(path, results::Store::Access::write);
  auto commits = keep_commits(store, arguments, suite);
  if (baseline) commits[base] = base_commit_of(baseline->store);
  store_plans(store, suite, seed);
  print_seed_note(seed, *suite.benches.front().study.seed, false);
  SuiteRun run(arguments, suite, store);
  const auto read = [&](std::int64_t pairs) {
    GateSuite out = stored_suite(store, suite, pairs);
    if (stored) out = beside_baseline(std::move(out), suite, store, baseline);
    if (anchor) put_anchor(out, suite, store, *anchor);
    return arguments.has("self-test") ? slowed_down(std::move(out), 0.2) : out;
  };
  Measured out{.result = {}, .settings = suite.settings};
  if (std::ranges::any_of(suite.benches, [](const Bench& bench) { return finds_metrics(bench.study); })) {
    if (out.signal = run.up_to(1).signal; out.signal != 0) return out;
    learn_metrics(suite, store);
    demand_power(suite);
  }
  const auto looks = suite.settings.until_decided ? looks_of(suite) : std::vector{suite.pairs()};
  LookedSuite looked(suite.settings, looks.size());
  std::int64_t pairs = 0;
  if (const auto end = end_of_launch(suite, store, arguments.has("retry-failed")); end < suite.pairs()) {
    out.signal = run.up_to(end).signal;
    out.launched = {end, suite.pairs()};
    return out;
  }
  for (const std::int64_t look : looks) {
    out.signal = run.up_to(look).signal;
    if (out.signal != 0) return out;
    pairs = look;
    if (!suite.settings.until_decided)
      out.result = judge_suite(read(look), suite.settings);
    else if (looked.look(read(look)))
      break;
  }
  if (suite.settings.until_decided) out.result = looked.result();
  out.suite = read(pairs);
  confirm(out.result, arguments, suite, store);
  if (stored && !baseline) out.result.verdict = "new", out.result.exit = 0;
  out.result.pairs = {pairs, suite.pairs()};
  out.result.store = results::hex(store.info().store_digest);
  out.result.commits = commits;
  out.result.calibration = calibration_for(arguments, suite, store);
  for (const auto& study : studies_of(suite)) out.result.studies.push_back(results::hex(study));
  return out;
}

Measured judge_stores(const Arguments& arguments) {
  const GivenStore baseline = given_baseline(arguments).value(), given = given_candidate(arguments);
  const results::Store& candidate = given.store;
  const auto benches = stored_benches(candidate);
  std::vector<results::MetricDef> metrics;
  std::vector<results::Digest> ours;
  for (const auto& [_, bench] : benches) {
    ours.push_back(bench.study);
    for (const auto& def : bench.metrics)
      if (std::ranges::find(metrics, def) == metrics.end()) metrics.push_back(def);
  }
  GateSuite suite{.baseline = arguments.value("baseline").value_or(""),
                  .candidate = arguments.value("candidate").value_or(""),
                  .claims = {},
                  .differences = {},
                  .notes = {}};
  metrics = with_found(std::move(metrics), baseline.store, {});
  put_stored_side(suite, base, baseline, metrics);
  put_stored_side(suite, head, given, metrics);
  suite.differences =
      machine_differences(machine_facts(baseline.store, gate_studies(baseline.store)), machine_facts(candidate, ours));
  Measured out{.result = {}, .settings = gate_settings(arguments, table_of_design(benches.begin()->second.design))};
  if (arguments.has("self-test")) suite = slowed_down(std::move(suite), 0.2);
  out.result = judge_suite(suite, out.settings);
  out.result.store = results::hex(candidate.info().store_digest);
  out.result.commits = {base_commit_of(baseline.store), commit_of(candidate)};
  for (const auto& study : ours) out.result.studies.push_back(results::hex(study));
  return out;
}

int make_baseline(const Arguments& arguments) {
  const SignalWatch signals;
  for (const char* name : {"db", "baseline", "again", "confirm", "until-decided", "launches"})
    refuse_options(arguments, {name},
                   {.problem = "is for a gate, and --make-baseline runs one side and judges nothing"});
  PlannedSuite suite = planned_suite(arguments, RunSides::baseline);
  const std::filesystem::path path = arguments.value("make-baseline").value_or("");
  const SeedFrom seed = plan_all(suite, path, arguments);
  if (std::filesystem::exists(path)) demand_same_baseline(path, suite);
  results::Store store(path, results::Store::Access::write);
  keep_commit(store, arguments, suite);
  store_plans(store, suite, seed);
  const RunSummary summary = SuiteRun(arguments, suite, store).up_to(suite.pairs());
  if (summary.signal != 0) {
    note("interrupted; run the same line again to continue");
    return 128 + summary.signal;
  }
  const std::string digest = results::hex(store.info().store_digest);
  std::cout << path.string() << ": " << suite.baseline << ", " << counted(std::ssize(suite.benches), "benchmark")
            << ", " << counted(suite.pairs(), "process") << " each"
            << (commit_of(store) ? ", commit " + short_commit(*commit_of(store)) : "") << "\n"
            << "store digest " << digest << "\n"
            << "next: retrial gate "
            << (arguments.positional.empty() ? "--command head='...'" : shell_word(arguments.positional.front()))
            << " --baseline " << shell_word(path.string()) << "@" << digest << "\n";
  return summary.failed > 0 ? static_cast<int>(Exit::measurement) : 0;
}

void print_suite(const Arguments& arguments, RunSides sides, const std::string& control) {
  PlannedSuite suite = planned_suite(arguments, sides, control);
  (void)plan_all(suite, suite_store(arguments, suite.name), arguments);
  for (const Bench& bench : suite.benches)
    for (const auto& entry : bench.plan.entries) {
      const auto argv = dry_argv(TrialBody(entry));
      std::cout << bench.name << " " << trial_name(entry) << (argv.empty() ? "" : "  " + argv) << "\n";
    }
}

}  // namespace retrial::harness::inline gate::inline measured
