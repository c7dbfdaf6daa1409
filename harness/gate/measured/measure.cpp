#include "harness/gate/measured/measure.hpp"

#include <iostream>
#include <set>

#include "harness/gate/looks.hpp"
#include "harness/gate/measured/planned_suite.hpp"
#include "harness/gate/measured/run_suite.hpp"
#include "harness/gate/measured/stored_suite.hpp"
#include "harness/plan/trial_body.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/run/open_trials.hpp"
#include "harness/run/progress_line.hpp"
#include "harness/run/root_seed.hpp"
#include "harness/run/run_options.hpp"
#include "harness/run/same_inputs.hpp"
#include "harness/study/options/study_options.hpp"
#include "harness/system/entropy.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

Json without_seed(Json document) {
  document.erase("seed");
  return document;
}

/// The seed of a stored suite that differs from this one in nothing else, unfinished ones first, the newest of them.
std::optional<std::uint64_t> seed_to_resume(const results::Store& store, PlannedSuite suite, const PlanInputs& inputs) {
  Bench& first = suite.benches.front();
  first.study.seed = 0;
  plan_bench(first, false, inputs);
  const Json wanted = without_seed(first.plan.study);
  std::optional<std::uint64_t> unfinished, finished;
  for (const auto& row : store.studies()) {
    if (without_seed(row.document) != wanted) continue;
    const bool open = !open_trials(store, store.plan(row.digest), false).empty();
    (open ? unfinished : finished) = results::parse_hex16(row.document.at("seed").get<std::string>());
  }
  return unfinished ? unfinished : finished;
}

/// One root seed for all benchmarks, and their plans.
SeedFrom plan_all(PlannedSuite& suite, const std::filesystem::path& path, const Arguments& arguments) {
  const auto inputs = plan_inputs(arguments, suite.benches.front().study.mode);
  auto seed = suite.benches.front().study.seed;
  SeedFrom from = SeedFrom::study;
  if (seed && arguments.has("again"))
    refuse_usage("--again", "draws new seeds, and the seed of this suite is given", "leave out one of the two");
  if (!seed && !arguments.has("again") && std::filesystem::exists(path)) {
    seed = seed_to_resume(results::Store(path, results::Store::Access::read), suite, inputs);
    from = SeedFrom::store;
  }
  if (!seed) seed = draw_root_seed(), from = SeedFrom::chance;
  for (Bench& bench : suite.benches) {
    bench.study.seed = seed;
    plan_bench(bench, suite.benches.size() > 1, inputs);
  }
  return from;
}

void store_plans(results::Store& store, const PlannedSuite& suite, SeedFrom seed) {
  for (const Bench& bench : suite.benches) {
    demand_same_inputs(store, bench.plan, seed);
    std::vector<std::pair<std::string, Json>> documents{{"design", bench.design}};
    if (bench.plan.design) documents.emplace_back("design", *bench.plan.design);
    store.put_study(bench.study.name, bench.plan.study, bench.plan.entries, documents);
  }
}

/// Every trial has a process of its own: a program of the user's is one, another workload needs a new worker.
RunSettings run_settings(const Arguments& arguments, const Study& study) {
  const bool own_process = workloads::find_workload(study.workload, "").argv != nullptr;
  RunSettings out{.pool = pool_settings(arguments, study.mode, true),
                  .data = data_folder(study, arguments),
                  .cache = cache_folder(study, arguments),
                  .folders = study.folders,
                  .host_label = {},
                  .retry_failed = arguments.has("retry-failed")};
  out.pool.jobs = 1;
  out.pool.fresh = !own_process;
  return out;
}

/// The progress of the whole suite, of which each launch runs a part.
class SuiteProgress {
 public:
  explicit SuiteProgress(std::size_t trials) : trials_(trials) {}
  void show(RunProgress progress) {
    if (progress.finished + progress.failed < last_) before_ += last_, last_ = 0;
    last_ = std::max(last_, progress.finished + progress.failed);
    progress.planned = trials_, progress.finished += before_;
    line_.show(progress);
  }
  void close() { line_.close(); }

 private:
  std::size_t trials_, before_ = 0, last_ = 0;
  ProgressLine line_;
};

std::int64_t tested_claims(const PlannedSuite& suite) {
  std::int64_t out = 0;
  for (const Bench& bench : suite.benches) out += std::ssize(bench.metrics);
  return out;
}

}  // namespace

Measured measure_and_judge(const Arguments& arguments) {
  const SignalWatch signals;
  PlannedSuite suite = planned_suite(arguments);
  const auto path = suite_store(arguments, suite.name);
  const SeedFrom seed = plan_all(suite, path, arguments);
  results::Store store(path, results::Store::Access::write);
  store_plans(store, suite, seed);
  print_seed_note(seed, *suite.benches.front().study.seed, false);
  SuiteProgress progress(suite.benches.size() * 2 * static_cast<std::size_t>(suite.pairs()));
  const auto how = [&](const Bench& bench) {
    RunSettings out = run_settings(arguments, bench.study);
    out.progress = [&](const RunProgress& part) { progress.show(part); };
    out.warn = [&, said = std::set<std::string>()](const results::PlanEntry& entry, const std::string& text) mutable {
      if (!said.insert(text).second) return;
      progress.close();
      warn(bench.name + " " + trial_name(entry) + ": " + text);
    };
    return out;
  };
  const bool self_test = arguments.has("self-test");
  const auto read = [&](std::int64_t pairs) {
    GateSuite out = stored_suite(store, suite, pairs);
    return self_test ? slowed_down(std::move(out), 0.2) : out;
  };
  Measured out{.result = {}, .settings = suite.settings};
  std::int64_t run = 0;
  const auto looks =
      suite.settings.until_decided ? looks_of(suite.settings, tested_claims(suite)) : std::vector{suite.pairs()};
  LookedSuite looked(suite.settings, looks.size());
  for (const std::int64_t pairs : looks) {
    const RunSummary summary = run_rounds(store, suite, how, run, pairs);
    out.signal = summary.signal;
    if (out.signal != 0) break;
    run = pairs;
    if (!suite.settings.until_decided)
      out.result = judge_suite(read(pairs), suite.settings);
    else if (looked.look(read(pairs)))
      break;
  }
  progress.close();
  if (out.signal != 0) return out;
  if (suite.settings.until_decided) out.result = looked.result();
  out.suite = read(run);
  out.result.pairs = {run, suite.pairs()};
  out.result.store = results::hex(store.info().store_digest);
  for (const Bench& bench : suite.benches) out.result.studies.push_back(results::hex(bench.plan.study_digest));
  return out;
}

void print_suite(const Arguments& arguments) {
  PlannedSuite suite = planned_suite(arguments);
  plan_all(suite, suite_store(arguments, suite.name), arguments);
  for (const Bench& bench : suite.benches)
    for (const auto& entry : bench.plan.entries) {
      const auto argv = dry_argv(TrialBody(entry));
      std::cout << bench.name << " " << trial_name(entry) << (argv.empty() ? "" : "  " + argv) << "\n";
    }
}

}  // namespace retrial::harness::inline gate::inline measured
