#include <algorithm>
#include <iostream>

#include "determinism/manifest/manifest.hpp"
#include "harness/check/check_protocol.hpp"
#include "harness/command_line/command.hpp"
#include "harness/plan/searched_keys.hpp"
#include "harness/plan/trial_body.hpp"
#include "harness/plan/trial_identity.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/run/options/run_options.hpp"
#include "harness/run/program/program_change.hpp"
#include "harness/run/program/program_guard.hpp"
#include "harness/show/field_differences.hpp"
#include "harness/stored/likeness/module_versions.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/study/options/key_options.hpp"
#include "harness/study/options/script_options.hpp"
#include "harness/study/options/study_options.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "harness/text/table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline commands {
namespace {

/// The stored attempt as a record, the form that first_difference compares.
results::TrialRecord stored_record(const results::Store& store, const results::TrialRow& row) {
  results::TrialRecord record{.identity = row.identity,
                              .replicate = row.replicate,
                              .status = row.status,
                              .metrics = store.metrics(row.id),
                              .digests = store.digests(row.id),
                              .manifest = store.manifest(row.id)};
  for (const auto& def : store.metric_defs())
    for (const auto& metric : record.metrics)
      if (metric.name == def.name) {
        record.defs.push_back(def);
        break;
      }
  return record;
}

std::vector<std::string> places_of(const workloads::Declaration& declaration) {
  std::vector<std::string> keys;
  for (const auto& parameter : declaration.parameters)
    if (parameter.reads == workloads::Reads::place) keys.push_back(parameter.name);
  return keys;
}

std::vector<std::string> places_of_all() {
  std::vector<std::string> keys;
  for (const auto& declaration : workloads::all_workloads())
    for (const auto& key : places_of(declaration))
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  return keys;
}

/// A store may come from any source: what is run again must be what was planned. A forged store can forge this
/// too, so a command also needs the user's consent.
void demand_as_planned(const results::Store& store, const results::Digest& study, const results::PlanEntry& entry) {
  store.demand_sealed(study);
  if (identity_of(TrialBody(entry)) == entry.identity) return;
  throw Error({.exit = Exit::integrity,
               .code = "replay.identity",
               .where = store.path().string(),
               .problem = "the stored trial " + trial_name(entry) + " is not the one that its identity names",
               .help = "retrial verify " + shell_word(store.path().string()) + " names every row that was changed"});
}

void demand_allowed(const TrialBody& body, const results::PlanEntry& entry, const std::string& store, bool allowed) {
  const auto argv = results::one_line(dry_argv(body), 4000);
  if (argv.empty()) return;
  if (!allowed)
    throw Error({.code = "replay.command",
                 .where = trial_name(entry),
                 .field = "--allow-commands",
                 .problem = "is not given, and the store would start this command: " + argv,
                 .help = "if you trust it: retrial replay " + shell_word(store) + " " + shell_word(trial_name(entry)) +
                         " --allow-commands"});
  note("starting the stored command " + argv);
}

/// The same for networks in files: the store has the digest, and --set names the file on this machine.
workloads::Scripts demanded_scripts(const Arguments& arguments, const TrialBody& body, const results::PlanEntry& entry,
                                    const std::string& store) {
  const auto& declaration = body.declaration();
  const auto given = scripts_set(arguments, declaration);
  workloads::Scripts scripts;
  for (const auto& [key, digest] : workloads::scripts_read(declaration, body.trial().values)) {
    const std::string line = "retrial replay " + shell_word(store) + " " + shell_word(trial_name(entry)) +
                             " --allow-scripts --set " + key + "=script:FILE";
    if (!arguments.has("allow-scripts"))
      throw Error(
          {.code = "replay.script",
           .where = trial_name(entry),
           .field = "--allow-scripts",
           .problem = "is not given, and the " + key + " of the trial is a program: a file of SHA-256 " + digest,
           .help = "if you trust that file: " + line});
    const auto file = given.find(digest);
    if (file == given.end())
      throw Error({.exit = given.empty() ? Exit::incomparable : Exit::integrity,
                   .code = given.empty() ? "replay.no_script" : "replay.other_script",
                   .where = trial_name(entry),
                   .field = key,
                   .problem = given.empty() ? "the store has no file of its network, of SHA-256 " + digest
                                            : "the trial was planned with SHA-256 " + digest + ", and --set names " +
                                                  given.begin()->first,
                   .help = line});
    scripts.insert(*file);
  }
  return scripts;
}

/// A replay with a different program answers a different question. A label cannot be checked, so it is trusted.
void demand_same_program(const TrialBody& body, const std::string& worker_build) {
  const auto& declaration = body.declaration();
  const Json& stored = body.program();
  const bool build_id = stored.is_string() && results::bytes_from_hex(stored.get<std::string>()).has_value();
  Json now = stored;
  if (declaration.program && stored.is_array())
    now = declaration.program(body.trial().values);
  else if (build_id)
    now = worker_build;
  if (now != stored)
    throw Error({.exit = Exit::incomparable,
                 .code = "replay.other_program",
                 .where = "replay",
                 .problem = "the trial was run by a different program: " + program_change(body, stored, now),
                 .help = "replay with that program, or compare anyway with --any-program"});
}

/// Modules and files inside of words are in no identity, only in the manifest of the trial. Asks the interpreter of the
/// command, so the user must have allowed it before.
void demand_same_modules(const results::Store& store, const results::Digest& study, const results::PlanEntry& entry,
                         const results::TrialRow& trial) {
  const PlannedTrial stored{
      .entry = entry, .state = TrialState::done, .row = std::make_shared<const results::TrialRow>(trial)};
  auto files = stored_modules(store, study, {stored});
  // Of what one trial has read, the others say whether it belongs to the program.
  const auto plan = store.plan(study);
  const auto all = stored_modules(store, study, plan_state(store, plan));
  if (const auto of = all.find(entry.variant); of != all.end())
    for (auto& [variant, own] : files) {
      std::erase_if(own.read.files, [&](const auto& file) { return !of->second.read.files.contains(file.first); });
      own.read.trials = of->second.read.trials;
    }
  ProgramGuard program(std::span(&entry, 1), ProgramGuard::Since::now);
  const auto changes = program.learn_surroundings(files, store.path());
  if (changes.empty()) return;
  throw Error({.exit = Exit::incomparable,
               .code = "replay.other_modules",
               .where = trial_name(entry),
               .problem = "the trial was run with other files: " + results::joined(changes),
               .help = "restore them, or compare anyway with --any-program"});
}

std::string how_to_give_files(const workloads::Declaration& declaration) {
  std::string ways = "--data FOLDER";
  for (const auto& key : places_of(declaration))
    if (key != declaration.data_key) ways += ", --set " + key + "=FOLDER";
  return "provide the files that it was run with: " + ways;
}

/// Missing or changed files are reported before a worker is started.
void demand_unchanged_data(const TrialBody& body, const workloads::Folders& folders,
                           const std::filesystem::path& data) {
  const auto& declaration = body.declaration();
  const auto planned = body.dataset();
  if (planned.empty() || !declaration.dataset) return;
  Values values = body.trial().values;
  for (const auto& [key, folder] : folders) values[key] = folder.string();
  const auto now = results::hex(declaration.dataset(values, data).value());
  if (now != planned)
    throw Error({.exit = Exit::integrity,
                 .code = "replay.other_data",
                 .where = "replay",
                 .problem = "the trial was planned with data " + planned.substr(0, 12) + ", found " + now.substr(0, 12),
                 .help = how_to_give_files(declaration)});
}

std::int64_t outcome_metrics(const results::TrialRecord& record) {
  std::int64_t count = 0;
  for (const auto& def : record.defs)
    if (def.nature == results::Nature::outcome)
      for (const auto& metric : record.metrics) count += metric.name == def.name ? 1 : 0;
  return count;
}

std::string final_value(const results::TrialRecord& record, const std::string& name) {
  for (const auto& metric : record.metrics)
    if (metric.name == name && metric.step == -1) return results::text_of(metric.value);
  return "-";
}

std::string final_digest(const results::TrialRecord& record, const std::string& name) {
  for (const auto& digest : record.digests)
    if (digest.name == name && digest.step == -1) return digest.algo + ":" + digest.hex.substr(0, 32);
  return "-";
}

/// The manifest of the replay is kept nowhere, so what could explain a difference is said here.
std::string explanation_text(const ManifestPair& manifests, bool all) {
  report::Section out{.id = "explain",
                      .title = "Fields that could explain it",
                      .blocks = {report::Facts{{explanation_fact(explanation_of(manifests))}}}};
  for (auto& block : field_blocks(manifests, all)) out.blocks.push_back(std::move(block));
  return section_text(out);
}

Json explanation_json(const ManifestPair& manifests) {
  const auto e = explanation_of(manifests);
  return {{"verdict", e.verdict},
          {"label", e.label.empty() ? Json() : Json(e.label)},
          {"explanatory", fields_json(e.explanatory)},
          {"others", fields_json(e.others)}};
}

void print_replay(const std::string& name, const results::TrialRecord& stored, const results::TrialRecord& again,
                  const std::optional<Difference>& difference, const std::string& explanation) {
  std::cout << bold("Replay of " + name) << " in a fresh process, "
            << duration_text(static_cast<double>(again.wall_ns) / 1e9) << "\n\n";
  TextTable table({{""}, {"stored"}, {"replayed"}, {""}});
  const auto row = [&](const std::string& what, const std::string& a, const std::string& b) {
    if (a != "-" || b != "-") table.add({what, a, b, a == b ? "equal" : "DIFFERENT"});
  };
  for (const auto& digest : stored.digests)
    if (digest.step == -1) row(digest.name, final_digest(stored, digest.name), final_digest(again, digest.name));
  for (const auto& def : stored.defs)
    if (def.nature == results::Nature::outcome && def.axis == results::Axis::none)
      row(def.name, final_value(stored, def.name), final_value(again, def.name));
  std::cout << table.text(2, terminal_width()) << "\n";
  if (!difference) {
    const auto values = outcome_metrics(stored), digests = std::ssize(stored.digests);
    std::cout << green("same bits") << ": " << (digests + values == 1 ? "" : "all ")
              << (digests == 0 ? "" : counted(digests, "digest") + " and ") << counted(values, "outcome metric value")
              << (digests + values == 1 ? " agrees" : " agree") << " at every step\n";
    return;
  }
  std::cout << red("different") << ": first at " << difference->what
            << (difference->step >= 0 ? ", step " + std::to_string(difference->step) : ", at the end")
            << "\n  stored   " << side_text(*difference, difference->a) << "\n  replayed "
            << side_text(*difference, difference->b) << "\n\n"
            << explanation << "\nnext: retrial check finds out whether this program repeats itself on this machine\n";
}

int run_replay(const Arguments& arguments) {
  const auto choice = store_choice(arguments, {.min = 1, .max = 1, .usage = "replay [STORE] TRIAL"});
  const auto store = open_for_reading(choice.path);
  const auto row = chosen_study(store, arguments.value("study"));
  const auto plan = store.plan(row.digest);
  auto entry = find_trial(plan, choice.rest.front(), choice.path);
  const auto trial = store.canonical(entry.identity, entry.replicate);
  if (!trial)
    throw Error({.exit = Exit::incomparable,
                 .code = "replay.not_run",
                 .where = trial_name(entry),
                 .problem = "has no finished attempt to compare with",
                 .help = "retrial status " + shell_word(choice.path.string())});
  demand_as_planned(store, row.digest, entry);
  const TrialBody body = with_searched_keys(store, plan, TrialBody(entry));
  refuse_idle_options(arguments, body.declaration());
  refuse_options(arguments, {"cache"}, {.problem = "does not apply to a replay, which trains every network again"});
  entry.trial_body = results::canonical(body.document());
  const auto worker = worker_for(arguments, body.mode());
  if (!arguments.has("any-program")) demand_same_program(body, determinism::build_id_of(worker.string()));
  const auto folders = folders_set(arguments, places_of(body.declaration()), &body.declaration());
  demand_unchanged_data(body, folders, data_folder(arguments));

  if (arguments.has("dry-run")) {
    std::cout << trial_name(entry) << "  identity " << results::hex(entry.identity) << "\n";
    if (const auto argv = dry_argv(body); !argv.empty()) std::cout << "  " << argv << "\n";
    return 0;
  }
  demand_allowed(body, entry, choice.path.string(), arguments.has("allow-commands"));
  const auto scripts = demanded_scripts(arguments, body, entry, choice.path.string());
  if (!arguments.has("any-program")) demand_same_modules(store, row.digest, entry, *trial);
  auto pool = pool_settings(arguments, body.mode(), false);
  pool.jobs = 1;
  const SignalWatch signals;
  const CheckSettings settings{.pool = pool,
                               .data = data_folder(arguments),
                               .cache = {},  // a network that was changed in the cache would repeat its error
                               .folders = folders,
                               .scripts = scripts,
                               .progress = {}};
  const auto stored = stored_record(store, *trial);
  const auto again = run_trials({entry}, row.document, pool, settings, "replay").front();
  const auto difference = first_difference(stored, again);
  const ManifestPair manifests{.name_a = "stored",
                               .name_b = "replayed",
                               .a = stored.manifest,
                               .b = again.manifest,
                               .equal = !difference.has_value()};
  if (arguments.has("json"))
    print_json({{"schema", "retrial.replay/1"},
                {"trial", trial_name(entry)},
                {"identity", results::hex(entry.identity)},
                {"same_bits", !difference},
                {"digests", stored.digests.size()},
                {"outcome_values", outcome_metrics(stored)},
                {"first_difference", difference ? Json{{"what", difference->what},
                                                       {"step", difference->step},
                                                       {"stored", difference->a},
                                                       {"replayed", difference->b}}
                                                : Json()},
                {"explanation", difference ? explanation_json(manifests) : Json()}});
  else
    print_replay(trial_name(entry), stored, again, difference,
                 difference ? explanation_text(manifests, arguments.has("all")) : "");
  return difference ? static_cast<int>(Exit::different) : 0;
}

}  // namespace

Command replay_command() {
  return {
      .name = "replay",
      .group = "run",
      .purpose = "run a stored trial again in a fresh process and compare every bit",
      .examples = {"retrial replay quickstart.db kd/7", "retrial replay quickstart.db '#17'"},
      .arguments = "[STORE] TRIAL",
      .options =
          std::vector<Option>{
              study_option(),
              {.name = "any-program",
               .meaning = "compare even if the program differs from the one that ran the stored trial"},
              {.name = "all",
               .meaning = "after a difference, also print the recorded fields that differ and cannot change bits"},
              {.name = "data", .value_name = "DIR", .meaning = "folder of the data sets (default: current folder)"},
              {.name = "set",
               .value_name = "KEY=DIR",
               .meaning = "key that names a folder, or KEY=script:FILE: where that is on this machine",
               .repeats = true},
              {.name = "worker", .value_name = "PATH", .meaning = "worker program (default: the one next to retrial)"},
              {.name = "worker-cuda", .value_name = "PATH", .meaning = "the same for a trial with device = \"cuda\""},
              {.name = "allow-commands",
               .meaning = "start a command of your own program as the store has it; --dry-run shows it"},
              allow_scripts_option(),
              {.name = "dry-run", .meaning = "print what would be run; run nothing"},
              {.name = "json", .meaning = "one JSON document (schema retrial.replay/1)"}} +
          under("Execution", worker_options()),
      .renamed = spelled_as_options(places_of_all()),
      .run = run_replay};
}

}  // namespace retrial::harness::inline commands
