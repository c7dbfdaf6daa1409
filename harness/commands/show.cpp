#include <algorithm>
#include <future>
#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/show/artifact.hpp"
#include "harness/show/formula.hpp"
#include "harness/show/info_page.hpp"
#include "harness/show/ledger_page.hpp"
#include "harness/show/manifest_text.hpp"
#include "harness/show/study_page.hpp"
#include "harness/show/trial_page.hpp"
#include "harness/stored/metric_summary.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/report/drawing/escape.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline commands {
namespace {

// ---- every trial: --metrics or --digests without TRIAL ----

void print_all(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
               bool digests, const std::optional<std::string>& metric) {
  using report::right;
  report::Table table{
      .columns = digests
                     ? std::vector<report::TableColumn>{"trial", "state", "digest", right("step"), "algorithm", "value"}
                     : std::vector<report::TableColumn>{"trial", "state", "metric", right("value"), "unit"}};
  const auto defs = store.metric_defs();
  for (const auto& trial : trials) {
    const std::string name = trial_name(trial.entry), state(name_of(trial.state));
    if (trial.state != TrialState::done) {
      table.rows.push_back({name, state});
    } else if (digests) {
      for (const auto& d : store.digests(trial.row->id))
        table.rows.push_back({name, state, d.name, d.step < 0 ? "end" : std::to_string(d.step), d.algo, d.hex});
    } else {
      for (const auto& [key, value] : final_values(store, *trial.row))
        if (!metric || key == *metric)
          table.rows.push_back({name, state, key, results::text_of(value), metric_named(defs, key).unit});
    }
  }
  std::cout << bold("Trials of study " + report::cleaned(study.name)) << ", in plan order\n"
            << blocks_text({std::move(table)}, {.width = 0});
}

Json all_json(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials) {
  Json rows = Json::array();
  for (const auto& trial : trials) rows.push_back(trial_json(read_trial(store, study, trial)));
  return {{"schema", "retrial.show_trials/1"},
          {"study", study.name},
          {"study_digest", results::hex(study.digest)},
          {"trials", rows}};
}

// ---- one trial ----

[[noreturn]] void refuse_trial(const PlannedTrial& trial, const std::string& code, const std::string& problem,
                               const std::string& help) {
  throw Error({.exit = Exit::incomparable,
               .code = code,
               .field = "TRIAL",
               .value = trial_name(trial.entry),
               .problem = problem,
               .help = help});
}

void demand_run(const PlannedTrial& trial, const std::string& what, const std::string& path) {
  if (!trial.row)
    refuse_trial(trial, "trial.not_run", "has not run yet, so it has no " + what, "retrial status " + shell_word(path));
}

/// Output of a user's program.
int show_output(const results::Store& store, const PlannedTrial& trial, bool json, const std::string& path) {
  demand_run(trial, "output", path);
  const auto* workload = workloads::workload_if_known(trial.entry.workload);
  if (workload == nullptr || !workload->printed)
    refuse_trial(trial, "trial.no_output", "the workload " + trial.entry.workload + " keeps no output",
                 "only programs of your own do: retrial run --command '...'");
  const auto artifacts = store.artifacts(trial.row->id);
  const auto output = std::ranges::find(artifacts, workload->printed->artifact, &results::ArtifactValue::name);
  if (output == artifacts.end() || !output->body)
    refuse_trial(trial, "trial.no_output", "no output is stored of it",
                 "it never began, was stopped from outside, or failed under an older version: retrial show " +
                     shell_word(path) + " " + shell_word(trial_name(trial.entry)));
  if (json) {
    print_json({{"schema", "retrial.show_output/1"}, {"trial", trial_name(trial.entry)}, {"output", *output->body}});
    return 0;
  }
  const auto text = report::cleaned(*output->body, std::string::npos, report::Lines::kept);
  std::cout << text << (text.empty() || text.ends_with('\n') ? "" : "\n");
  note("at most the last 4096 bytes of an output are stored");
  return 0;
}

StoredLedger stored_ledger(const results::Store& store, const PlannedTrial& trial, const std::string& path) {
  demand_run(trial, "ledger", path);
  const auto artifacts = store.artifacts(trial.row->id);
  const auto found = std::ranges::find(artifacts, "ledger", &results::ArtifactValue::name);
  if (found == artifacts.end() || found->kind != "jsonl")
    refuse_trial(
        trial, "trial.no_ledger", "the workload " + trial.entry.workload + " keeps no ledger",
        "retrial show " + shell_word(path) + " " + shell_word(trial_name(trial.entry)) + " names what it keeps");
  return ledger_from(artifact_bytes(store, path, trial.row->id, "ledger"), trial_name(trial.entry));
}

int show_ledger(const results::Store& store, const PlannedTrial& trial, const PlannedTrial* against, bool json,
                const std::string& path) {
  const auto ledger = stored_ledger(store, trial, path);
  if (against == nullptr) {
    print_part(ledger_part(ledger), json);
    return 0;
  }
  const auto other = stored_ledger(store, *against, path);
  const auto difference = difference_of(ledger, other);
  print_part(difference_part(ledger, other, difference), json);
  return static_cast<int>(difference.equal() ? Exit::ok : Exit::different);
}

int show_trial(const results::Store& store, const StudyView& study, const PlannedTrial& trial,
               const Arguments& arguments, const std::string& path) {
  const bool json = arguments.has("json");
  if (arguments.has("output")) return show_output(store, trial, json, path);
  if (const auto name = arguments.value("artifact")) {
    demand_run(trial, "artifacts", path);
    show_artifact(store, path, trial.row->id, *name, arguments.value("out").value_or(""));
    return 0;
  }
  if (arguments.has("manifest")) {
    demand_run(trial, "manifest", path);
    const Json manifest = store.manifest(trial.row->id);
    std::cout << (json ? results::printed(manifest)
                       : readable_manifest(manifest).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return 0;
  }
  const TrialDetails details = read_trial(store, study, trial);
  if (!json && arguments.has("digests"))
    std::cout << blocks_text({digests_table(details.digests)});
  else if (!json && arguments.has("metrics"))
    std::cout << blocks_text({values_table(details)});
  else
    print_part(trial_part(details, path), json);
  return 0;
}

const PlannedTrial& planned(const std::vector<PlannedTrial>& trials, const results::PlanEntry& entry) {
  return *std::find_if(trials.begin(), trials.end(), [&](const auto& t) { return t.entry.ordinal == entry.ordinal; });
}

int show_study(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
               std::future<results::Digest>& outcome_digest, const Arguments& arguments, const std::string& path) {
  const bool json = arguments.has("json"), digests = arguments.has("digests");
  for (const std::string option : {"manifest", "output", "artifact", "ledger"})
    if (arguments.has(option))
      throw Error({.code = "usage.missing_argument",
                   .field = "--" + option,
                   .problem = "needs a trial",
                   .help = "retrial show " + shell_word(path) + " " + shell_word(trial_name(study.plan.front())) +
                           " --" + option + (option == "artifact" ? " NAME" : "")});
  const auto metric = arguments.value("metric");
  if (metric && metric_named(store.metric_defs(), *metric).axis != results::Axis::none)
    throw Error({.code = "usage.series",
                 .field = "--metric",
                 .value = *metric,
                 .problem = "is a series: it has a value for each step of a trial, and no final one",
                 .help = "retrial show " + shell_word(path) + " " + shell_word(trial_name(study.plan.front())) +
                         " --metrics --metric " + *metric});
  if (digests || arguments.has("metrics")) {
    if (json)
      print_json(all_json(store, study, trials));
    else
      print_all(store, study, trials, digests, metric);
    return 0;
  }
  const StudyPage page{
      .study = study,
      .trials = trials,
      .messages = failure_messages(store, trials, trials.size()),
      .summaries = summarise(store, study, trials, metric),
      .store = path,
      .outcome_digest = outcome_digest.get(),
      .result_digest = is_quick_to_digest(store) ? std::optional(result_digest_of(store)) : std::nullopt};
  print_part(stored_study_part(page), json);
  return 0;
}

using StoredAttempts = std::shared_ptr<const std::vector<results::TrialRow>>;

/// On a connection of its own, so that the plan can be read in parallel: with 100,000 trials each of the two takes a
/// third of the time.
std::future<StoredAttempts> read_attempts(const std::filesystem::path& store) {
  return std::async(std::launch::async, [store] {
    return std::make_shared<const std::vector<results::TrialRow>>(open_for_reading(store).trials());
  });
}

int run_formula(const Arguments& arguments, const std::string& name) {
  refuse_options(
      arguments,
      {"info", "manifest", "output", "artifact", "ledger", "against", "digests", "metrics", "metric", "study"},
      {.problem = "is for a store, not for a formula"});
  show_formula(name, arguments.positional, arguments.value("out").value_or(""));
  return 0;
}

int run_show(const Arguments& arguments) {
  if (const auto formula = arguments.value("formula")) return run_formula(arguments, *formula);
  if (!arguments.has("ledger")) refuse_options(arguments, {"against"}, {.problem = "is for --ledger"});
  if (!arguments.has("artifact")) refuse_options(arguments, {"out"}, {.problem = "is for --artifact and --formula"});
  const StoreChoice choice = store_choice(arguments, {.max = 1, .usage = "show [STORE] [TRIAL]"});
  const results::Store store = open_for_reading(choice.path);
  const std::string path = choice.path.string();
  if (arguments.has("info")) {
    print_part(info_part(store.info(), result_digest_of(store), store.studies(), path), arguments.has("json"));
    return 0;
  }
  const results::StudyRow chosen = chosen_study(store, arguments.value("study"));
  auto reading = read_attempts(choice.path);
  const StudyView study = read_study(store, chosen);
  if (const auto metric = arguments.value("metric")) (void)metric_named(store.metric_defs(), *metric);
  const StoredAttempts attempts = reading.get();
  const auto trials = plan_state(store, study.plan, attempts);
  if (choice.rest.empty()) {
    auto digest = std::async(std::launch::async, [&] { return results::outcome_digest_of(*attempts); });
    return show_study(store, study, trials, digest, arguments, path);
  }
  const auto named = [&](const std::string& name) -> const PlannedTrial& {
    return planned(trials, find_trial(study.plan, name, path));
  };
  const auto& trial = named(choice.rest.front());
  if (arguments.has("ledger"))
    refuse_options(arguments, {"manifest", "output", "artifact", "digests", "metrics"},
                   {.problem = "shows something else than --ledger", .help = "leave out one of them"});
  if (!arguments.has("ledger")) return show_trial(store, study, trial, arguments, path);
  const auto other = arguments.value("against");
  return show_ledger(store, trial, other ? &named(*other) : nullptr, arguments.has("json"), path);
}

}  // namespace

Command show_command() {
  return {
      .name = "show",
      .group = "run",
      .purpose = "show the contents of a store: a study at a glance, or one trial in full; or the value of a formula",
      .examples = {"retrial show quickstart.db", "retrial show quickstart.db kd/7",
                   "retrial show quickstart.db '#17' --digests",
                   "retrial show quickstart.db --metrics --metric accuracy",
                   "retrial show quickstart.db kd/7 --artifact NAME -o FILE",
                   "retrial show search.db flaml/0 --ledger --against flaml/1",
                   "retrial show quickstart.db --info --json", "retrial show --formula NAME KEY=VALUE"},
      .arguments = "[STORE] [TRIAL]",
      .options =
          {{.name = "info",
            .meaning = "show the file itself: schema, counts, size, and the digests of store, outcomes and results"},
           {.name = "manifest",
            .meaning = "with TRIAL: show everything recorded about the machine, libraries and settings"},
           {.name = "output", .meaning = "with TRIAL: print what your program wrote (at most its last 4 KiB)"},
           {.name = "artifact",
            .value_name = "NAME",
            .meaning = "with TRIAL: the bytes of this artifact, unchanged; -o FILE writes them to a file"},
           {.name = "ledger", .meaning = "with TRIAL: the records of its ledger, where the workload keeps one"},
           {.name = "against",
            .value_name = "TRIAL",
            .meaning = "with --ledger: the first record and the fields in which this trial differs (exit code 1)"},
           {.name = "digests", .meaning = "show every digest of the trial, or of all trials"},
           {.name = "metrics", .meaning = "show every raw value of the trial, or the final values of all trials"},
           {.name = "metric", .value_name = "NAME", .meaning = "show only this metric"},
           study_option(),
           {.name = "json", .meaning = "one JSON document"},
           {.name = "formula",
            .value_name = "NAME",
            .meaning = "no store: the value of this formula (retrial list formulas) for its arguments, each "
                       "KEY=VALUE, as JSON; a list is 4,2,1, rows are 1,0;0,1"},
           {.name = "out",
            .letter = 'o',
            .value_name = "FILE",
            .meaning =
                "with --artifact: write its bytes to this file; with --formula: write a file in place of the answer, "
                "where the formula makes one"}},
      .run = run_show};
}

}  // namespace retrial::harness::inline commands
