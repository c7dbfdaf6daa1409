#include "harness/profile/profile_run.hpp"

#include <algorithm>
#include <numeric>

#include "harness/plan/profile_blocks.hpp"
#include "harness/run/commit/leases.hpp"
#include "harness/system/entropy.hpp"
#include "harness/system/host.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/failure_text.hpp"
#include "results/record/identity.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/profiler/measured/profile_metrics.hpp"

namespace retrial::harness::inline profile {
namespace {

using profiler::PlannedRun, profiler::Role;

/// Runs the missing blocks, one after the other.
class Launching {
 public:
  Launching(results::Store& store, const Study& study, const Plan& plan, const ProfileSettings& settings)
      : store_(store),
        study_(study),
        plan_(plan),
        settings_(settings),
        declaration_(workloads::find_workload(study.workload, "study")),
        attempts_(draw_name()),
        launch_{.id = attempts_,
                .boot = boot_name(store_salt(store)),
                .host = host_name(store_salt(store), settings.host_label)},
        leases_(store, launch_.id, scratch_.path()) {}

  void run() {
    const auto blocks = blocks_of(plan_.entries);
    claim();
    const auto trials = plan_state(store_, plan_.entries);
    for (const auto& block : blocks) {
      begin_variant(block);
      auto runs = stored_block(store_, trials, block);
      if (runs.empty()) runs = run_block(block);
      done_ += block.size();
      finished_.push_back(std::move(runs));
      report(block);
    }
  }

 private:
  [[nodiscard]] const ProfileDesign& design() const { return *study_.profile; }

  void begin_variant(const std::vector<std::size_t>& block) {
    const auto& entry = plan_.entries[block.front()];
    if (entry.block != 0) return;
    finished_.clear();
    costs_.reset();
    done_ = 0;
  }

  void report(const std::vector<std::size_t>& block) const {
    const auto whole = plan_.entries.size() / study_.variants.size();
    if (settings_.progress) settings_.progress(plan_.entries[block.front()].variant, done_, whole);
  }

  /// The whole plan, for as long as this launch runs.
  void claim() {
    std::vector<std::size_t> all(plan_.entries.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (leases_.take(plan_.entries, all).size() == all.size()) return;
    throw Error({.code = "profile.busy",
                 .where = store_.path().string(),
                 .problem = "another process profiles this study",
                 .help = "its times would be those of two runs at once; wait until it has ended"});
  }

  /// All of it or nothing is stored. A process of its own for each block: where memory lies in a process moves small
  /// times by as much as seeds do (docs/method/profiling.md), and pairs of one process would share that draw.
  std::vector<ProfiledRun> run_block(const std::vector<std::size_t>& block) {
    const auto planned = profile_runs(design(), plan_.entries[block.front()].block);
    WorkerPool pool(settings_.pool);
    warm_up(pool, plan_.entries[block.front()]);
    std::vector<ProfiledRun> runs;
    for (std::size_t i = 0; i < block.size(); ++i) runs.push_back(run_one(pool, plan_.entries[block[i]], planned[i]));
    std::vector<results::TrialRecord> records;
    for (const ProfiledRun& run : runs) records.push_back(run.record);
    store_.append(records, {});
    return runs;
  }

  /// The first run of a process also pays for what later ones find done: pages of memory, code of the library that is
  /// chosen at its first call. So one more is made beforehand, which leaves nothing.
  void warm_up(WorkerPool& pool, const results::PlanEntry& entry) {
    (void)result_of(
        pool, entry,
        profiler::configurations(profile_level(design())).back().order(settings_.cap_bytes, design().collector));
  }

  ProfiledRun run_one(WorkerPool& pool, const results::PlanEntry& entry, const PlannedRun& planned) {
    const JobResult result = result_of(pool, entry, order_of(entry, planned));
    ProfiledRun out{
        .profile = result.event.profile,
        .record = record_of(entry, TrialBody(entry), result, results::attempt_id(attempts_, entry.identity, started_++),
                            launch_, plan_.study)};
    describe(out, planned);
    return out;
  }

  /// Both runs of a pair are looked into alike, so that this is no cost of the profile.
  [[nodiscard]] profiler::ProfileOrder order_of(const results::PlanEntry& entry, const PlannedRun& planned) const {
    auto order = planned.how.order(settings_.cap_bytes, design().collector);
    if (planned.role == Role::measured) order.trace = trace_of(entry);
    if (planned.role != Role::calibration) order.rules = settings_.rules;
    order.rule_every = settings_.rule_every;
    order.clock = settings_.clock;
    order.period_ns = settings_.period_ns;
    return order;
  }

  JobResult result_of(WorkerPool& pool, const results::PlanEntry& entry, profiler::ProfileOrder order) {
    const ScratchFolder scratch;  // a network that another run has trained would save this one its training
    std::filesystem::create_directories(scratch.path() / "out");
    const auto how = entry.variant + ", pair " + std::to_string(entry.pair_index);
    pool.start(0, {.trial = TrialBody(entry),
                   .profile = std::move(order),
                   .place = {.data = settings_.data,
                             .cache = scratch.path() / "cache",
                             .out = scratch.path() / "out",
                             .folders = study_.folders,
                             .scripts = settings_.scripts}});
    JobResult result = ended(pool);
    if (result.event.kind != WorkerEvent::Kind::profiled)
      throw Error({.exit = Exit::measurement,
                   .code = "profile.failed",
                   .where = how,
                   .problem = "a run failed: " + failure_line(result.message, 800)});
    return result;
  }

  /// What the profile adds to a trial.
  void describe(ProfiledRun& run, const PlannedRun& planned) {
    const bool measured = planned.role == Role::measured;
    if (measured && design().blocks > 0 && !costs_) costs_ = costs_of(finished_, design(), study_.seed.value());
    const auto values =
        profiler::profile_values(run.profile, measured, costs_ ? &*costs_ : nullptr, declaration_.operations);
    for (const auto& def : profiler::profile_metrics(declaration_.operations))
      if (std::ranges::find(values, def.name, &results::MetricValue::name) != values.end())
        run.record.defs.push_back(def);
    run.record.metrics.insert(run.record.metrics.end(), values.begin(), values.end());
    run.record.artifacts.push_back(artifact_of(run.profile, planned));
    if (measured && !run.profile.health.rules.empty()) run.record.artifacts.push_back(artifact_of(run.profile.health));
  }

  JobResult ended(WorkerPool& pool) {
    for (;;) {
      if (SignalWatch::count() > 0)
        throw Error({.exit = SignalWatch::first() == 2 ? Exit::interrupted : Exit::terminated,
                     .code = "interrupted",
                     .problem = "interrupted; finished blocks are stored, and the same command goes on with the next"});
      leases_.renew();
      if (auto all = pool.wait(std::chrono::milliseconds(250)); !all.empty()) return std::move(all.front());
    }
  }

  [[nodiscard]] std::filesystem::path trace_of(const results::PlanEntry& entry) const {
    if (settings_.traces.empty()) return {};
    return settings_.traces / (entry.variant + "-" + std::to_string(entry.pair_index) + ".rtrace");
  }

  results::Store& store_;
  const Study& study_;
  const Plan& plan_;
  const ProfileSettings& settings_;
  const workloads::Declaration& declaration_;
  results::Id16 attempts_;  ///< no two launches give an attempt the same name
  Launch launch_;
  ScratchFolder scratch_;
  Leases leases_;
  ProfiledBlocks finished_;  ///< of the variant
  std::optional<std::vector<profiler::CostEstimate>> costs_;
  std::uint32_t started_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

void run_profiles(results::Store& store, const Study& study, const Plan& plan, const ProfileSettings& settings) {
  Launching(store, study, plan, settings).run();
}

}  // namespace retrial::harness::inline profile
