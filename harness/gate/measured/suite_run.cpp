#include "harness/gate/measured/suite_run.hpp"

#include <algorithm>
#include <set>

#include "harness/gate/measured/run_suite.hpp"
#include "harness/plan/trial_body.hpp"
#include "harness/run/options/run_options.hpp"
#include "harness/run/progress_line.hpp"
#include "harness/run/queue/open_trials.hpp"
#include "harness/run/same_inputs.hpp"
#include "harness/study/options/study_options.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

constexpr const char* launches_key = "gate/launches";

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

}  // namespace

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
  suite.settings.root = *seed;
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

bool has_launches(const results::Store& store) {
  return store.meta(launches_key).has_value();
}

std::int64_t first_open_pair(const results::Store& store, const PlannedSuite& suite, bool retry_failed) {
  std::int64_t out = suite.pairs();
  for (const Bench& bench : suite.benches)
    for (const auto place : open_trials(store, bench.plan.entries, retry_failed))
      out = std::min(out, bench.plan.entries[place].pair_index);
  return out;
}

struct SuiteRun::State {
  /// The progress of the whole suite, of which each launch runs a part.
  class Progress {
   public:
    explicit Progress(std::size_t trials) : trials_(trials) {}
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

  State(const Arguments& from, const PlannedSuite& planned, results::Store& into)
      : arguments(from),
        suite(planned),
        store(into),
        launch(draw_name()),
        progress(planned.benches.size() * planned.benches.front().plan.entries.size()) {}

  [[nodiscard]] RunSettings settings_of(const Bench& bench) {
    RunSettings out = run_settings(arguments, bench.study);
    out.launch = launch;
    out.progress = [this](const RunProgress& part) { progress.show(part); };
    out.warn = [this, &bench](const results::PlanEntry&, const std::string& text) {
      if (!said.insert(bench.name + text).second) return;
      progress.close();
      harness::warn(bench.name + ": " + text);
    };
    return out;
  }

  const Arguments& arguments;
  const PlannedSuite& suite;
  results::Store& store;
  results::Id16 launch;
  Progress progress;
  std::set<std::string> said;
  std::int64_t run = 0;
};

SuiteRun::SuiteRun(const Arguments& arguments, const PlannedSuite& suite, results::Store& store)
    : state_(std::make_unique<State>(arguments, suite, store)) {
  if (!has_launches(store) && store.trials().empty()) store.put_meta(launches_key, "1");
}
SuiteRun::~SuiteRun() = default;

RunSummary SuiteRun::up_to(std::int64_t pairs) {
  const auto how = [this](const Bench& bench) { return state_->settings_of(bench); };
  const RunSummary out = run_rounds(state_->store, state_->suite, how, state_->run, pairs);
  state_->run = pairs;
  state_->progress.close();
  return out;
}

}  // namespace retrial::harness::inline gate::inline measured
