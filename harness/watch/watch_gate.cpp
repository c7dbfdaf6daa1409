#include "harness/watch/watch_gate.hpp"

#include <algorithm>
#include <filesystem>

#include "harness/gate/measured/commits.hpp"
#include "harness/gate/suite_of_scores.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/system/host.hpp"
#include "harness/watch/watch_store.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline watch {
namespace {

using variance::DetectorEvidence;

DetectorEvidence evidence_given(const Arguments& arguments) {
  const std::string kind = arguments.value("kind").value_or("");
  return kind == "bounded"        ? DetectorEvidence::bounded
         : kind == "normal_known" ? DetectorEvidence::normal_known
                                  : DetectorEvidence::paired_sign;
}

std::string history_file(const Arguments& arguments) {
  if (const auto file = arguments.value("history")) return *file;
  throw Error({.code = "usage.missing_option",
               .field = "--history",
               .problem = "must be given: the file that keeps the watch between commits",
               .help =
                   "retrial gate --kind paired_sign --history watch.db --control again --scores base=b.json --scores "
                   "head=h.json --scores again=a.json"});
}

/// What the latest state says, where an option is not given; Error{incomparable} for an option that says otherwise.
WatchSettings settings_given(const Arguments& arguments, const std::vector<WatchState>& states) {
  WatchSettings out{.evidence = evidence_given(arguments)};
  out.run_length = arguments.number("arl", {1, 1e12, true, false}).value_or(out.run_length);
  const std::string direction = arguments.value("direction").value_or("worse");
  out.direction = direction == "both"     ? WatchDirection::both
                  : direction == "better" ? WatchDirection::better
                                          : WatchDirection::worse;
  if (states.empty()) return out;
  const WatchSettings& before = states.back().settings;
  if (!arguments.has("arl")) out.run_length = before.run_length;
  if (!arguments.has("direction")) out.direction = before.direction;
  const auto differ = [](const char* field, const std::string& now, const std::string& then) {
    throw Error({.exit = Exit::incomparable,
                 .code = "watch.settings",
                 .field = field,
                 .value = now,
                 .problem = "this history is watched with " + then + ": a promise is not changed under way",
                 .help = "begin a new watch with --reset --reason TEXT, or in another file"});
  };
  if (out.evidence != before.evidence) differ("--kind", word_of(out.evidence), word_of(before.evidence));
  if (out.run_length != before.run_length)
    differ("--arl", results::text_of(out.run_length), results::text_of(before.run_length));
  if (out.direction != before.direction) differ("--direction", word_of(out.direction), word_of(before.direction));
  return out;
}

std::map<std::string, std::string> machine_of(const ScoreTable& table, const std::string& variant) {
  std::map<std::string, std::string> out;
  if (const auto found = table.machines.find(variant); found != table.machines.end())
    for (const auto& [key, values] : found->second)
      out[key] = results::joined(std::vector(values.begin(), values.end()));
  return out;
}

/// Baseline, candidate and, for paired_sign, the control, among the variants of the files.
WatchNames names_given(const Arguments& arguments, const ScoreTable& table, bool control) {
  ScoreNames rest{.where = table.name, .names = table.variants()};
  WatchNames out;
  if (control) {
    const auto word = arguments.value("control");
    if (!word)
      throw Error({.code = "usage.missing_option",
                   .field = "--control",
                   .problem = "must be given: the side with the baseline measured once more, in every block",
                   .allowed = results::one_line(results::joined(rest.names), 400),
                   .help = "a baseline that is called worse than itself shows that the measurement, not the commit, "
                           "changed"});
    const auto found = std::ranges::find(rest.names, *word);
    if (found == rest.names.end())
      throw Error({.code = "usage.option_value",
                   .field = "--control",
                   .value = results::one_line(*word, 100),
                   .problem = "no such side",
                   .allowed = results::one_line(results::joined(rest.names), 400)});
    out.control = *word;
    rest.names.erase(found);
  }
  if (rest.names.size() < 2)
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.no_baseline",
                 .where = table.name,
                 .problem = "holds one side: there is no baseline",
                 .help = "--scores base=FILE --scores head=FILE, one file per process"});
  const Sides sides = sides_of(rest, arguments);
  out.baseline = rest.names[sides.baseline], out.candidate = rest.names[sides.candidate];
  return out;
}

void require_one_machine(const GateSuite& suite, const Arguments& arguments) {
  const auto accepted = arguments.values("allow-diff");
  for (const MachineDifference& d : suite.differences)
    if (std::ranges::find(accepted, d.key) == accepted.end())
      throw Error({.exit = Exit::incomparable,
                   .code = "watch.machine",
                   .field = d.key,
                   .value = d.candidate,
                   .problem = suite.baseline + " has " + d.baseline + ": the sides come from different machines",
                   .help = "--allow-diff " + d.key + " compares them in spite of it"});
}

struct GivenRuns {
  WatchInputs inputs;
  WatchNames names;
};

GivenRuns runs_given(const Arguments& arguments, DetectorEvidence evidence) {
  if (!arguments.has("scores"))
    throw Error(
        {.code = "usage.missing_option", .field = "--scores", .problem = "must be given: the runs of one commit"});
  const auto files = score_inputs(arguments.values("scores"), roles_given(arguments));
  const ScoreTable table = read_score_table(files, arguments.value("format"));
  GivenRuns out{.inputs = {}, .names = names_given(arguments, table, evidence == DetectorEvidence::paired_sign)};
  SuiteChoice choice{.baseline = out.names.baseline,
                     .candidate = out.names.candidate,
                     .metrics = arguments.values("metric"),
                     .direction = direction_given(arguments)};
  out.inputs.judged = suite_of_scores(table, choice);
  out.inputs.machine = machine_of(table, choice.candidate);
  if (evidence == DetectorEvidence::paired_sign) {
    choice.candidate = out.names.control;
    out.inputs.control = suite_of_scores(table, choice);
  }
  if (arguments.has("reference")) {
    auto references = score_inputs(arguments.values("reference"), roles_given(arguments));
    for (ScoreInput& one : references) one.variant = "reference";
    const ScoreTable runs = read_score_table(references, arguments.value("format"));
    const auto names = runs.variants();
    if (names.size() > 1)
      throw Error(
          {.code = "watch.reference",
           .where = runs.name,
           .field = "--reference",
           .problem = "holds " + std::to_string(names.size()) + " variants: the runs of one baseline are meant"});
    out.inputs.reference = suite_of_scores(
        runs, {.baseline = names.front(), .candidate = "", .metrics = choice.metrics, .direction = choice.direction});
  }
  require_one_machine(out.inputs.judged, arguments);
  if (out.inputs.control) require_one_machine(*out.inputs.control, arguments);
  return out;
}

/// The state that these runs lead to; nothing where the history has it.
std::optional<WatchState> next_state(const std::vector<WatchState>& states, const WatchSettings& settings,
                                     const WatchedCommit& commit, WatchState& answer) {
  for (const WatchState& state : states) {
    if (state.commit != commit.commit) continue;
    if (state.inputs == commit.inputs) {
      answer = state;
      return std::nullopt;
    }
    throw Error(
        {.exit = Exit::incomparable,
         .code = "watch.commit",
         .field = "--commit",
         .value = results::one_line(commit.commit, 200),
         .problem = "is in this history with other runs: a commit is asked once",
         .help = "retrial history shows it; a commit that is measured again until it passes has no error rate"});
  }
  const std::optional<WatchState> before = states.empty() ? std::nullopt : std::optional(states.back());
  if (before && before->invalid) {
    answer = *before;
    return std::nullopt;
  }
  return watched(before, settings, commit);
}

}  // namespace

const std::vector<std::string>& gate_kinds() {
  static const std::vector<std::string> kinds{"pairs", "paired_sign", "normal_known", "bounded"};
  return kinds;
}

std::vector<Option> watch_options() {
  return under(
      "Watching a history (--kind paired_sign, normal_known, bounded)",
      {{.name = "history", .value_name = "FILE", .meaning = "the store that keeps the watch; made where there is none"},
       {.name = "control",
        .value_name = "NAME",
        .meaning = "paired_sign: the side with the baseline measured once more; it raises an alarm where the "
                   "measurement changed, not the commit"},
       {.name = "reference",
        .value_name = "FILE",
        .meaning = "normal_known, bounded: 200 runs or more of the baseline, when the watch begins",
        .repeats = true},
       {.name = "arl",
        .value_name = "N",
        .meaning = "mean number of commits between false alarms, at least (default 1000)"},
       {.name = "direction",
        .value_name = "WHAT",
        .meaning = "look for worse values, better ones, or both (default worse)",
        .choices = {"worse", "better", "both"}},
       {.name = "reset", .meaning = "begin the watch again, after a change that was meant"},
       {.name = "reason", .value_name = "TEXT", .meaning = "why, with --reset; the history keeps it"}});
}

WatchAnswer watch_commit(const Arguments& arguments, Statistic statistic) {
  const std::string file = history_file(arguments);
  refuse_options(arguments, {"reason"}, {.problem = "needs --reset"});
  const DetectorEvidence evidence = evidence_given(arguments);
  if (evidence == DetectorEvidence::paired_sign)
    refuse_options(arguments, {"reference"},
                   {.problem = "is for normal_known and bounded; paired_sign measures both sides"});
  else
    refuse_options(arguments, {"control"}, {.problem = "is for paired_sign; here the baseline is its own control"});
  // Runs that cannot be read or judged leave no file behind.
  const GivenRuns runs = runs_given(arguments, evidence);
  const std::string name = commit_named(arguments.value("commit"));
  const EvidenceChoice choice{.statistic = statistic, .allow_sequential = arguments.has("allow-sequential")};
  const auto next = [&](const std::vector<WatchState>& all, WatchState& answer) {
    const auto states = watch_under_way(all);
    const WatchSettings settings = settings_given(arguments, states);
    WatchedCommit commit =
        evidence_of(runs.inputs, settings, states.empty() ? std::nullopt : std::optional(states.back()), choice);
    commit.commit = name;
    return next_state(states, settings, commit, answer);
  };
  WatchAnswer out{.state = {}, .names = runs.names};
  out.names.history = file;
  if (!std::filesystem::exists(file)) static_cast<void>(next({}, out.state));
  results::Store store(file, results::Store::Access::write);
  if (const auto added = append_state(store, [&](const auto& all) { return next(all, out.state); }))
    out.state = *added, out.added = true;
  return out;
}

std::string reset_watch(const Arguments& arguments) {
  const std::string file = history_file(arguments);
  const auto reason = arguments.value("reason");
  if (!reason || results::one_line(*reason).empty())
    throw Error({.code = "usage.missing_option",
                 .field = "--reason",
                 .problem = "must be given: the history keeps why it began again",
                 .help = "retrial gate --kind " + arguments.value("kind").value_or("paired_sign") + " --history " +
                         file + " --reset --reason 'new compiler'"});
  refuse_options(arguments, {"scores", "control", "reference", "commit", "arl", "direction"},
                 {.problem = "has no meaning with --reset, which measures nothing"});
  if (!std::filesystem::exists(file))
    throw Error({.exit = Exit::incomparable, .code = "store.missing", .where = file, .problem = "does not exist"});
  results::Store store(file, results::Store::Access::write);
  const auto added = append_state(store, [&](const std::vector<WatchState>& all) -> std::optional<WatchState> {
    if (watch_under_way(all).empty())
      throw Error(
          {.exit = Exit::incomparable, .code = "watch.nothing", .where = file, .problem = "watches nothing yet"});
    return WatchState{.settings = all.back().settings,
                      .commit = {},
                      .series = {},
                      .machine = {},
                      .reset = results::one_line(*reason)};
  });
  const results::Event event{.at_ns = now_ns(), .kind = "note", .detail = "watch reset: " + results::one_line(*reason)};
  store.append({}, std::span(&event, 1));
  return file + ": the watch begins again (state " + std::to_string(added->number) + "): " + results::one_line(*reason);
}

}  // namespace retrial::harness::inline watch
