#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "harness/command_line/command.hpp"
#include "harness/judge/design/study_looks.hpp"
#include "harness/plan/plan_documents.hpp"
#include "harness/plan/trial_body.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/run/options/run_options.hpp"
#include "harness/run/progress_line.hpp"
#include "harness/run/queue/open_trials.hpp"
#include "harness/run/root_seed.hpp"
#include "harness/run/run_study.hpp"
#include "harness/run/same_inputs.hpp"
#include "harness/run/seed_watch.hpp"
#include "harness/run/sequential/run.hpp"
#include "harness/show/plan_page.hpp"
#include "harness/stored/likeness/same_data.hpp"
#include "harness/stored/likeness/seed_effect.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/progress.hpp"
#include "harness/stored/result_digest.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/study/options/script_options.hpp"
#include "harness/study/options/study_options.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/failure_text.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline commands {
namespace {

/// A sequential run compares its variants at every look, so their data must be the same before the first trial.
void demand_comparable(const Study& study, const Plan& plan) {
  if (study.compare && study.compare->sequential())
    demand_same_data(plan.entries, study.compare->baseline, study.compare->candidate);
}

std::string time_text(const results::Store& store, const Plan& plan, int jobs) {
  for (const auto& row : store.studies())
    if (row.digest == plan.study_digest)
      if (const auto seconds =
              remaining_seconds(progress_by_variant(read_study(store, row), plan_state(store, plan.entries))))
        return "about " + duration_text(*seconds / jobs) + ", estimated from finished trials";
  return "unknown until three trials are done";
}

void print_before(const Study& study, const Plan& plan, const results::Store& store, const RunSettings& settings,
                  std::size_t open) {
  const bool sequential = study.compare && study.compare->sequential();
  report::Facts facts = study_facts(study);
  facts.rows.push_back(
      {"to run", (sequential ? "at most " : "") + std::to_string(open) + " of " +
                     counted(std::ssize(plan.entries), "trial") + ", " + std::to_string(settings.pool.jobs) +
                     " at a time; time: " + (open == 0 ? "none" : time_text(store, plan, settings.pool.jobs))});
  std::cerr << section_text({.id = "study",
                             .title = "Study " + study.name,
                             .aside = "into " + store.path().string(),
                             .blocks = {std::move(facts)}});
}

void print_argv(const Study& study, const Plan& plan, bool json) {
  if (json) {
    Json trials = Json::array();
    for (const auto& entry : plan.entries)
      trials.push_back({{"trial", trial_name(entry)},
                        {"identity", results::hex(entry.identity)},
                        {"replicate", entry.replicate},
                        {"argv", dry_argv(TrialBody(entry))}});
    print_json({{"schema", "retrial.dry_run/1"},
                {"study", study.name},
                {"seed", results::hex16(*study.seed)},
                {"study_digest", results::hex(plan.study_digest)},
                {"plan_digest", results::hex(plan.plan_digest)},
                {"trials", std::move(trials)}});
    return;
  }
  for (const auto& entry : plan.entries) {
    const auto argv = dry_argv(TrialBody(entry));
    std::cout << trial_name(entry) << (argv.empty() ? "" : "  " + argv) << "\n";
  }
}

int exit_code(const RunSummary& summary, const std::vector<SeedFinding>& dead) {
  if (summary.signal != 0) return 128 + summary.signal;
  if (!dead.empty()) return static_cast<int>(Exit::incomparable);
  return summary.failed > 0 ? static_cast<int>(Exit::measurement) : 0;
}

/// --until-decided needs a sequential design.
void demand_sequential(const Arguments& arguments, const Study& study) {
  if (!arguments.has("until-decided") || (study.compare && study.compare->sequential())) return;
  throw Error({.code = "usage.option_value",
               .field = "--until-decided",
               .problem = study.compare ? "this study was declared as fixed-size, tested once at the end"
                                        : "a study of one variant has nothing to decide",
               .allowed = "a study with a sequential design",
               .help = "declare a sequential family before the first run: --family dual_e --gamma 0.75 --n-max 60 "
                       "(retrial list designs)"});
}

void demand_no_profile(const Arguments& arguments, const Study& study) {
  if (!study.profile) return;
  throw Error({.code = "study.profile",
               .where = arguments.positional.empty() ? "study " + study.name : arguments.positional.front(),
               .field = "profile",
               .problem = "this is a profile study: its runs record where their time goes",
               .help = "retrial profile with the same file runs it"});
}

/// The run stopped because the seed of a variant changes nothing.
[[noreturn]] void report_dead(const Study& study, const std::vector<SeedFinding>& dead) {
  std::vector<std::string> texts;
  for (const auto& finding : dead) texts.push_back(seed_sentence(finding));
  throw Error({.exit = Exit::incomparable,
               .code = "run.dead_source",
               .where = "study " + study.name,
               .problem = "dead-source: " + results::joined(texts, "; ") + "; the run was stopped",
               .help = "make the program use its seed (retrial check --command tests that); if it computes a single "
                       "number, run the same line with --allow-constant to continue"});
}

/// The run stopped because no variant can run.
[[noreturn]] void report_failed_alike(const Study& study, const results::Store& store, SeedFrom seed,
                                      const std::string& failure) {
  const bool one = study.variants.size() == 1;
  throw Error({.exit = Exit::measurement,
               .code = "run.failed_alike",
               .where = "study " + study.name,
               .problem = (one ? "its first trial failed (" + failure
                               : "the first trial of every variant failed in the same way (" + failure) +
                          "), so the others were not run",
               .help = "after an edit of its files " +
                       (seed == SeedFrom::study ? same_line_elsewhere(store) : "run the same line again") +
                       "; with the same files --retry-failed runs them again, --keep-going the others although these "
                       "failed"});
}

/// Prints the first failure of a launch while it runs; the store has the others.
void print_first_failure(RunSettings& settings, ProgressLine& line) {
  settings.ended = [&line, said = false, before = std::move(settings.ended)](
                       const results::PlanEntry& entry, const results::TrialRecord& record) mutable {
    if (before) before(entry, record);
    if (results::has_outcome(record.status) || std::exchange(said, true)) return;
    line.close();
    warn(failure_notice(trial_name(entry), record.message.value_or(std::string(results::name_of(record.status)))));
  };
}

/// Says what a first Ctrl-C does, because it seems to do nothing while a trial takes its time.
void announce_interruption(RunSettings& settings, ProgressLine& line) {
  settings.interrupted = [&settings, &line](std::size_t running) {
    line.close();
    note("finishing " + counted(static_cast<std::int64_t>(running), "running trial") +
         (settings.grace ? " for at most " + std::to_string(settings.grace->count()) + " s" : "") +
         "; press Ctrl-C again (or send SIGTERM again) to stop " + (running == 1 ? "it" : "them"));
  };
}

std::string next_step(const RunSummary& summary, const std::vector<SeedFinding>& dead, const Study& study,
                      const std::string& store) {
  const auto db = shell_word(store);
  if (summary.signal != 0) return "interrupted; run the same command again to continue";
  if (!dead.empty()) return "retrial show " + db + " shows the runs; --allow-constant continues";
  if (summary.failed > 0) return "retrial show " + db + " shows why trials failed; --retry-failed runs them again";
  if (study.variance && !study.compare) return "retrial variance " + db;
  return (study.compare ? "retrial compare " : "retrial show ") + db;
}

/// The state of the study, which other processes may be working on too.
void print_done(const RunSummary& summary, const Progress& total, bool decided) {
  const auto done = total.of(TrialState::done), failed = total.of(TrialState::failed);
  const auto others = done - static_cast<std::int64_t>(summary.before + summary.finished);
  std::vector<std::string> whose;
  if (summary.before > 0) whose.push_back(std::to_string(summary.before) + " before this launch");
  if (others > 0) whose.push_back(std::to_string(others) + " by other processes meanwhile");
  std::cout << done << " of " << counted(total.total(), "trial") << " done";
  if (!whose.empty()) std::cout << " (" << results::joined(whose) << ")";
  if (failed > 0) std::cout << ", " << failed << " failed";
  if (total.open() > 0) std::cout << ", " << total.open() << (decided ? " not needed" : " not finished");
  std::cout << "\n";
}

void print_after(const RunSummary& summary, const std::vector<SeedFinding>& dead, const Study& study, const Plan& plan,
                 const results::Store& store, const std::optional<SequentialRun>& sequential, bool json) {
  const auto info = store.info();
  const auto next = next_step(summary, dead, study, store.path().string());
  const bool judged = sequential && sequential->verdict();
  const auto outcome = judged ? sequential->outcome_digest() : info.outcome_digest;
  const bool quick = is_quick_to_digest(store);
  const auto of_store = !quick || (judged && !json) ? ResultDigest{} : result_digest_of(store);
  const auto result = quick && judged ? sequential->result_digest() : of_store;
  if (json) {
    Json document({{"schema", "retrial.run/1"},
                   {"study", study.name},
                   {"store", store.path().string()},
                   {"seed", results::hex16(*study.seed)},
                   {"planned", summary.planned},
                   {"finished_before", summary.before},
                   {"finished", summary.finished},
                   {"failed", summary.failed},
                   {"unfinished", summary.unfinished},
                   {"outcome_digest", results::hex(outcome)},
                   {"result_digest", json_of(result)},
                   {"store_digest", results::hex(info.store_digest)},
                   {"next", next}});
    for (const auto& finding : dead) document["dead_source"].push_back(finding.variant);
    if (summary.failed_alike) document["failed_alike"] = *summary.failed_alike;
    if (sequential) document.update(sequential->document());
    if (sequential) document["store_outcome_digest"] = results::hex(info.outcome_digest);
    if (sequential) document["store_result_digest"] = json_of(of_store);
    print_json(document);
    return;
  }
  print_done(summary, total_progress(plan_state(store, plan.entries)), sequential && sequential->decided());
  if (sequential) std::cout << sequential->page();
  const char* part = sequential ? " (of the judged pairs)" : "";
  std::cout << "outcome digest " << results::hex(outcome) << part << "\n"
            << "result digest  "
            << (quick ? text_of(result) + part : "retrial show " + shell_word(store.path().string()) + " --info")
            << "\n"
            << "store digest   " << results::hex(info.store_digest) << " (retrial verify --expect)\n"
            << "next: " << next << "\n";
}

/// The worker's build, if the identities of the plan contain it: a worker replaced during the run is refused.
std::string planned_build(const Plan& plan, const PlanInputs& inputs) {
  if (plan.entries.empty()) return "";
  return TrialBody(plan.entries.front()).program() == inputs.build_id ? inputs.build_id : "";
}

/// One line on standard output; flushed, because its reader takes the trial for stored.
void print_stored(const results::PlanEntry& entry, const results::TrialRecord& record) {
  print_json({{"event", "done"},
              {"trial", trial_name(entry)},
              {"identity", results::hex(record.identity)},
              {"replicate", record.replicate},
              {"attempt", results::hex(record.attempt)},
              {"status", results::name_of(record.status)}});
  std::cout.flush();
}

int run_run(const Arguments& arguments) {
  const SignalWatch signals;
  auto study = checked_to_run(draft_from(arguments));
  demand_no_profile(arguments, study);
  demand_sequential(arguments, study);
  refuse_idle_options(arguments, workloads::find_workload(study.workload, ""));
  const auto path = store_path(arguments, study);
  const bool dry = arguments.has("dry-run");
  const auto cache = cache_folder(study, arguments);
  const auto seed_from = set_seed(study, path, arguments);
  const auto inputs = plan_inputs(arguments, study.mode);
  const auto plan = make_plan(study, inputs);
  if (dry) {
    print_argv(study, plan, arguments.has("json") || arguments.has("jsonl"));
    return 0;
  }
  const bool cost_is_judged = study.compare && judged_metric(study).nature == results::Nature::cost;
  RunSettings settings{.pool = pool_settings(arguments, study.mode, cost_is_judged),
                       .data = data_folder(study, arguments),
                       .cache = cache,
                       .folders = study.folders,
                       .scripts = allowed_scripts(arguments, study),
                       .host_label = arguments.value("host-label"),
                       .retry_failed = arguments.has("retry-failed"),
                       .keep_going = arguments.has("keep-going"),
                       .checksum_every = arguments.integer("checksum-every", 1, 1'000'000'000).value_or(0),
                       .keep_every = keep_every(study, arguments, cost_is_judged)};
  leave_cpus_for_threads(study, arguments, settings.pool);
  keep_apart(study, arguments, settings.pool);
  settings.pool.build_id = planned_build(plan, inputs);
  if (const auto grace = arguments.integer("grace", 0, 10'000'000)) settings.grace = std::chrono::seconds(*grace);
  demand_comparable(study, plan);
  results::Store store(path, results::Store::Access::write);
  demand_same_inputs(store, plan, seed_from);
  demand_unseen(store, study.name, plan);
  store.put_study(study.name, plan.study, plan.entries, documents_of(study, plan));
  if (arguments.has("allow-constant")) allow_constant(store, plan.study_digest);
  std::optional<SequentialRun> sequential;
  if (study.compare && study.compare->sequential()) sequential.emplace(store, study, plan, settings.retry_failed);
  const bool decided = sequential && sequential->decided();
  const auto open = decided ? 0 : open_trials(store, plan.entries, settings.retry_failed).size();
  print_seed_note(seed_from, *study.seed, open == 0);
  print_before(study, plan, store, settings, open);
  for (const auto& remark : variant_remarks(study, plan)) warn(remark);
  if (arguments.has("mode") && !study.mode.inherit() && workloads::find_workload(study.workload, "").inherits_mode)
    std::cerr << "  the mode sets\n" << mode_page(study.mode);

  ProgressLine line;
  settings.progress = [&](const RunProgress& progress) { line.show(progress); };
  settings.warn = [&, said = std::set<std::string>()](const results::PlanEntry& entry,
                                                      const std::string& text) mutable {
    if (!said.insert(text).second) return;
    line.close();
    warn(trial_name(entry) + ": " + text);
  };
  if (arguments.has("jsonl")) settings.stored = print_stored;
  if (sequential)
    sequential->follow(settings, [&](const std::string& text) {
      line.close();
      std::cerr << "  " << text << "\n";
    });
  print_first_failure(settings, line);
  announce_interruption(settings, line);
  std::optional<SeedWatch> seeds;
  if (!allows_constant(store, plan.study_digest))
    seeds.emplace(store, study, plan_state(store, plan.entries)).follow(settings, [&](const std::string& text) {
      line.close();
      warn(text);
    });
  const auto summary = run_study(store, plan.study, plan.entries, settings);
  line.close();
  if (sequential) sequential->judge();
  const auto dead = seeds ? seeds->dead() : std::vector<SeedFinding>{};
  const bool json = arguments.has("json") || arguments.has("jsonl");
  print_after(summary, dead, study, plan, store, sequential, json);
  if (!dead.empty() && !json && summary.signal == 0) report_dead(study, dead);
  if (summary.failed_alike && !json && summary.signal == 0)
    report_failed_alike(study, store, seed_from, *summary.failed_alike);
  return exit_code(summary, dead);
}

std::vector<std::string> examples() {
  std::vector<std::string> out{"retrial run studies/quickstart.toml"};
  for (const auto& workload : workloads::all_workloads())
    if (!workload.example.empty()) out.push_back(workload.example);
  return out;
}

}  // namespace

Command run_command() {
  return {
      .name = "run",
      .group = "run",
      .purpose = "run a study's missing trials; each is stored as it finishes",
      .examples = examples(),
      .arguments = "STUDY.toml|WORKLOAD",
      .options =
          std::vector<Option>{
              {.name = "db", .value_name = "FILE", .meaning = "store to write (default: RETRIAL_DB, else NAME.db)"}} +
          study_options() + under("Execution", program_options() + worker_options()) +
          std::vector<Option>{
              {.name = "until-decided",
               .meaning =
                   "fail unless the study declares a sequential design; a declared one stops when decided in any case"},
              allow_scripts_option(),
              {.name = "allow-constant",
               .meaning = "continue although the seed of a program changes nothing; its verdict is then not INVALID"},
              {.name = "again", .meaning = "start a new study with new seeds, although the store holds one like it"},
              {.name = "retry-failed", .meaning = "run again the trials that failed, timed out or ran out of memory"},
              {.name = "keep-going",
               .meaning = "run all trials although the first one of every variant failed in the same way"},
              {.name = "grace",
               .value_name = "S",
               .meaning = "after a first Ctrl-C or SIGTERM stop trials that run for another S seconds (default: let "
                          "them finish; a second signal stops them)"},
              {.name = "checksum-every",
               .value_name = "K",
               .meaning = "also record a digest of the weights every K optimizer steps"},
              {.name = "keep-every",
               .value_name = "S",
               .meaning = "keep the state of each running trial every S seconds beside the store, so that after a kill "
                          "the same command goes on with it (default 30; 0: start such trials over)"},
              {.name = "host-label",
               .value_name = "NAME",
               .meaning = "name of this machine in the store (default: a salted hash)"},
              {.name = "dry-run", .meaning = "print what would be run; run nothing"},
              {.name = "json", .meaning = "print the summary as one JSON document (schema retrial.run/1)"},
              {.name = "jsonl", .meaning = "like --json, and also one JSON line per trial as soon as it is stored"},
          },
      .brief = {"Comparison and its design", "Variance by source, and search", "Execution"},
      .run = run_run};
}

}  // namespace retrial::harness::inline commands
