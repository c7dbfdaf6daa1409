#include "harness/run/run_study.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "harness/plan/searched_keys.hpp"
#include "harness/run/commit/committer.hpp"
#include "harness/run/commit/kept_states.hpp"
#include "harness/run/commit/leases.hpp"
#include "harness/run/out_folders.hpp"
#include "harness/run/program/program_guard.hpp"
#include "harness/run/program/program_refusals.hpp"
#include "harness/run/queue/open_trials.hpp"
#include "harness/run/queue/trial_queue.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/system/entropy.hpp"
#include "harness/system/host.hpp"
#include "harness/system/signals.hpp"
#include "results/record/identity.hpp"
#include "results/store/append/storable.hpp"
#include "results/text/error.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline run {
namespace {

using Clock = std::chrono::steady_clock;
using results::Status;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One launch over one plan.
class Runner {
 public:
  Runner(results::Store& store, const Json& study, const std::vector<results::PlanEntry>& plan,
         const RunSettings& settings)
      : store_(store),
        study_(study),
        plan_(plan),
        settings_(settings),
        workload_(workloads::find_workload(study.at("workload").get<std::string>(), "study")),
        salt_(store_salt(store)),
        attempts_(draw_name()),
        launch_{.id = settings.launch.value_or(attempts_),
                .boot = boot_name(salt_),
                .host = host_name(salt_, settings.host_label)},
        outs_(workload_, store.path()),
        pool_(settings.pool),
        commits_(store, [this](const results::TrialRecord& record) { stored(record); }),
        leases_(store, launch_.id, outs_.scratch()),
        queue_(store, plan, leases_, settings.settled),
        states_(store.path()),
        program_(plan, ProgramGuard::Since::plan),
        firsts_(plan) {
    for (const auto& entry : plan_) places_[{entry.identity, entry.replicate}] = &entry;
  }

  RunSummary run() {
    prepare();
    try {
      while (work()) {
      }
    } catch (const Error& error) {
      keep_finished(&error);
      throw;
    } catch (const std::exception&) {
      keep_finished(nullptr);
      throw;
    }
    commits_.commit();
    if (changed_)
      refuse_changed_program(
          *changed_, store_.path().string(),
          "trials that ran meanwhile are stored as failed; restore the file and run the same command "
          "with --retry-failed, or start over in another store (--db), as you must if another variant "
          "has run with the new file; what a program writes belongs in {out}");
    summary_.signal = SignalWatch::count() > 0 ? SignalWatch::first() : 0;
    if (const auto doubt = summary_.signal != 0 ? program_.doubt() : std::nullopt)
      refuse_doubtful_file(*doubt, store_.path().string());
    const auto after = count_states(plan_state(store_, plan_, attempts_at(store_, plan_), Running::as_missing));
    summary_.failed = after.failed;
    summary_.unfinished = after.open;
    if (hopeless()) summary_.failed_alike = firsts_.failed_alike();
    return summary_;
  }

 private:
  struct UnderWay {
    results::Id16 attempt{};
    std::filesystem::path out;
    TrialBody body;  ///< as it was run
  };

  /// Reads the store once and does not keep the rows.
  void prepare() {
    if (!settings_.sealed) demand_sealed();
    const auto attempts = attempts_at(store_, plan_);
    const auto trials = plan_state(store_, plan_, attempts, Running::as_missing);
    summary_.planned = plan_.size();
    summary_.before = count_states(trials).done;
    queue_.begin(open_places(trials, plan_, settings_.retry_failed), *attempts);
    remove_leftovers(trials);
    if (!settings_.retry_failed) look_back(firsts_, store_, trials);
    if (firsts_.unknown()) begin_with_firsts();
    if (!workload_.program_facts) return;
    const auto study = results::digest_of(study_);
    const auto changes = program_.learn_surroundings(stored_modules(store_, study, trials), store_.path());
    if (!changes.empty()) refuse_other_files(changes, store_.path().string());
  }

  void remove_leftovers(const std::vector<PlannedTrial>& trials) const {
    std::vector<Place> done;
    for (const auto& trial : trials)
      if (trial.state == TrialState::done) done.emplace_back(trial.entry.identity, trial.entry.replicate);
    states_.remove_leftovers(done);
  }

  /// Trials are added to what was planned and stored, and not to what is left of it.
  void demand_sealed() const {
    const auto digest = results::digest_of(study_);
    for (const auto& study : store_.studies())
      if (study.digest == digest) store_.demand_sealed(study, store_.plan_listing(digest));
  }

  void begin_with_firsts() {
    const auto places = firsts_.places();
    queue_.put_first(places);
    careful_ = workload_.argv ? places.size() : 0;
  }

  /// Every variant has failed at its first trial, in the same way.
  [[nodiscard]] bool hopeless() const { return !settings_.keep_going && firsts_.failed_alike().has_value(); }

  /// While it is not known that a user's program can run at all, one trial runs at a time. Any other workload waits
  /// once a first trial has failed: one worker may be far ahead of the worker that has another variant's first trial.
  [[nodiscard]] bool must_wait() const {
    return !settings_.keep_going && firsts_.unknown() && pool_.running() > 0 && (careful_ > 0 || firsts_.failing());
  }

  /// However the run ends, finished trials are stored. Where they cannot be, the error also says where they are.
  void keep_finished(const Error* first) {
    try {
      commits_.commit();
    } catch (const Error& error) {
      if (first == nullptr) return;
      ErrorText both = first->text;
      both.problem += both.problem == error.text.problem ? "" : "; " + error.text.problem;
      both.help = error.text.help;
      throw Error(std::move(both));
    } catch (const std::exception&) {  // report the first failure, not this one
    }
  }

  bool work() {
    if (hopeless() || (settings_.stop_requested && settings_.stop_requested())) queue_.clear();
    if (SignalWatch::count() == 0)
      dispatch();
    else
      heed_signal();
    if (pool_.running() == 0 && (SignalWatch::count() > 0 || queue_.empty())) return false;
    // While nothing runs here, there is something to wait for only if other processes hold what is left.
    auto results = pool_.wait(std::chrono::milliseconds(pool_.running() == 0 && queue_.has_claimed() ? 0 : 250));
    if (results.empty()) program_.listen();
    for (auto& result : results) take(std::move(result));
    commits_.commit_if_due();
    leases_.renew();
    report();
    return true;
  }

  void heed_signal() {
    const bool again = SignalWatch::count() > 1;
    if (!asked_) {
      asked_ = Clock::now();
      if (!again && pool_.running() > 0 && settings_.interrupted) settings_.interrupted(pool_.running());
    }
    if (again || (settings_.grace && Clock::now() - *asked_ >= *settings_.grace)) pool_.stop();
  }

  void dispatch() {
    queue_.claim();
    while (pool_.has_room() && queue_.has_claimed() && !must_wait()) start(queue_.take());
  }

  /// The search found nothing: the trial fails without being started.
  void fail(const results::PlanEntry& entry, const results::Id16& attempt, const Error& error) {
    commits_.finished(record_of(entry, TrialBody(entry),
                                {.status = Status::failed,
                                 .event = {},
                                 .message = error.text.code + ": " + Error::line(error.text),
                                 .end = {},
                                 .started_ns = now_ns(),
                                 .worker = "none",
                                 .manifest = {},
                                 .warnings = {}},
                                attempt, launch_, study_));
    leases_.done(entry);
  }

  void start(std::size_t index) {
    const auto& entry = plan_[index];
    if (!leases_.ours(entry)) return queue_.put_back(index);  // stopped for so long that the claim has passed on
    if (auto change = program_.change(entry.variant)) return end_for(std::move(*change));
    const auto attempt = results::attempt_id(attempts_, entry.identity, started_[entry.identity]++);
    TrialBody body(entry);
    try {
      body = with_searched_keys(store_, plan_, std::move(body));
    } catch (const Error& error) {
      if (error.text.code != "search.no_result") throw;
      fail(entry, attempt, error);
      return;
    }
    const auto out = outs_.make(entry, body, attempt);
    commits_.event({.at_ns = now_ns(), .kind = "started", .identity = entry.identity, .attempt = attempt});
    if (std::exchange(first_, false)) commits_.commit();
    program_.begin(index, entry.variant);
    running_[index] = {.attempt = attempt, .out = out, .body = body};
    Keep keep;
    if (settings_.keep_every > 0)
      keep = {.file = states_.file({entry.identity, entry.replicate}), .every_s = settings_.keep_every};
    pool_.start(index, {.trial = std::move(body),
                        .keep = std::move(keep),
                        .place = {.data = settings_.data,
                                  .cache = settings_.cache,
                                  .out = out,
                                  .checksum_every = settings_.checksum_every,
                                  .folders = settings_.folders,
                                  .scripts = settings_.scripts}});
  }

  /// The program is another one than the study was planned for: nothing further is started, and what runs is ended.
  void end_for(std::string change) {
    changed_ = std::move(change);
    queue_.clear();
    pool_.stop();
  }

  /// A trial during which its program changed may have run either version, or half of both.
  void demand_same_program(const results::PlanEntry& entry, JobResult& result) {
    auto change = result.stopped_by_us ? std::nullopt : program_.change(entry.variant);
    if (!change) return;
    result.status = Status::failed;
    result.message =
        "program.changed: " + *change + " while the trial ran" + (result.message.empty() ? "" : "\n" + result.message);
    end_for(std::move(*change));
  }

  void take(JobResult result) {
    const auto under_way = running_.extract(result.job).mapped();
    const auto& entry = plan_[result.job];
    if (run_elsewhere(result, under_way)) return;
    program_.end(result.job, !result.stopped_by_us && results::has_outcome(result.status));
    demand_same_program(entry, result);
    if (result.stopped_by_us)
      commits_.event({.at_ns = now_ns(),
                      .kind = "stopped",
                      .identity = entry.identity,
                      .attempt = under_way.attempt,
                      .detail = "ended by retrial itself"});
    for (const auto& warning : result.warnings)
      if (settings_.warn) settings_.warn(entry, warning);
    auto record = record_of(entry, under_way.body, result, under_way.attempt, launch_, study_);
    if (const auto problem = results::why_not_storable(record)) {  // a worker may report anything
      result.status = Status::failed;
      result.message = "worker.record: what it reported cannot be stored: " + *problem;
      result.event = {};
      record = record_of(entry, under_way.body, result, under_way.attempt, launch_, study_);
    }
    program_.describe(under_way.body, record.manifest);
    if (settings_.ended && !result.stopped_by_us) settings_.ended(entry, record);
    if (!result.stopped_by_us) note_first(entry, record);
    commits_.finished(std::move(record));
    leases_.done(entry);
    if (careful_ > 0) {
      commits_.commit();
      careful_ = firsts_.unknown() ? careful_ - 1 : 0;
    }
    outs_.remove(under_way.out);
    if (result.stopped_by_us) stopped_.insert(under_way.attempt);
  }

  /// This process was stopped for so long that its claim passed on, and another one has stored the trial.
  bool run_elsewhere(const JobResult& result, const UnderWay& under_way) {
    const auto& entry = plan_[result.job];
    if (leases_.ours(entry) || !queue_.settle(result.job)) return false;
    program_.end(result.job, false);
    commits_.event({.at_ns = now_ns(),
                    .kind = "stopped",
                    .identity = entry.identity,
                    .attempt = under_way.attempt,
                    .detail = "another process had run the trial while this one was stopped"});
    leases_.done(entry);
    states_.remove({entry.identity, entry.replicate});
    outs_.remove(under_way.out);
    return true;
  }

  void note_first(const results::PlanEntry& entry, const results::TrialRecord& record) {
    if (results::has_outcome(record.status))
      firsts_.worked();
    else
      firsts_.failed(entry, record.status, record.message.value_or(""));
  }

  void stored(const results::TrialRecord& record) {
    last_ = places_.at({record.identity, record.replicate});
    if (!stopped_.contains(record.attempt) && !ended_from_outside(record))
      states_.remove({record.identity, record.replicate});
    last_status_ = record.status;
    if (!stopped_.contains(record.attempt)) queue_.stored(static_cast<std::size_t>(last_ - plan_.data()));
    if (results::has_outcome(record.status))
      ++summary_.finished;
    else if (!stopped_.contains(record.attempt))
      ++failed_now_;
    if (settings_.stored) settings_.stored(*last_, record);
  }

  void report() {
    if (!settings_.progress) return;
    RunProgress progress{.planned = summary_.planned,
                         .finished = summary_.before + summary_.finished,
                         .failed = failed_now_,
                         .running = pool_.running(),
                         .elapsed_s = seconds_since(began_),
                         .last = last_,
                         .last_status = last_status_};
    const auto done = static_cast<double>(summary_.finished + failed_now_);
    const auto open = static_cast<double>(queue_.size() + pool_.running()) - pool_.fraction_running();
    if (done >= 3) progress.remaining_s = progress.elapsed_s / (done + pool_.fraction_running()) * open;
    for (JobProgress& job : pool_.progress()) {
      const auto& entry = plan_[job.job];
      progress.under_way.push_back(
          {study_.at("workload").get<std::string>() + "/" + entry.variant + " pair " + std::to_string(entry.pair_index),
           std::move(job)});
    }
    settings_.progress(progress);
  }

  results::Store& store_;
  const Json& study_;
  const std::vector<results::PlanEntry>& plan_;
  const RunSettings& settings_;
  const workloads::Declaration& workload_;
  results::Id16 salt_, attempts_;  ///< attempts_: no two runs give an attempt the same name
  Launch launch_;
  OutFolders outs_;
  WorkerPool pool_;
  Committer commits_;
  Leases leases_;
  TrialQueue queue_;
  KeptStates states_;
  ProgramGuard program_;
  std::optional<std::string> changed_;  ///< edit of the program during this launch
  FirstTrials firsts_;
  std::size_t careful_ = 0;  ///< trials of a user's program that may still run alone
  std::map<std::size_t, UnderWay> running_;
  std::map<results::Digest, std::uint32_t> started_;
  std::map<Place, const results::PlanEntry*> places_;
  std::set<results::Id16> stopped_;  ///< attempts that retrial stopped
  RunSummary summary_;
  std::size_t failed_now_ = 0;
  bool first_ = true;
  const results::PlanEntry* last_ = nullptr;
  Status last_status_ = Status::ok;
  Clock::time_point began_ = Clock::now();
  std::optional<Clock::time_point> asked_;  ///< when a signal asked this launch to end
};

}  // namespace

RunSummary run_study(results::Store& store, const Json& study, const std::vector<results::PlanEntry>& plan,
                     const RunSettings& settings) {
  return Runner(store, study, plan, settings).run();
}

}  // namespace retrial::harness::inline run
