#include "harness/watch/watch_gate.hpp"

#include <algorithm>
#include <filesystem>

#include "harness/gate/measured/commits.hpp"
#include "harness/system/host.hpp"
#include "harness/watch/given_runs.hpp"
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

GivenRuns given_runs(const Arguments& arguments, DetectorEvidence evidence, const std::string& commit) {
  if (arguments.has("scores")) return runs_of_scores(arguments, evidence);
  if (!arguments.positional.empty() || arguments.has("command")) return runs_made(arguments, evidence, commit);
  if (arguments.has("baseline") && arguments.has("candidate")) return runs_of_stores(arguments, evidence);
  throw Error({.code = "usage.missing_option",
               .field = "--scores, --command, SUITE.toml, or --baseline and --candidate",
               .problem = "one must be given: the runs of one commit",
               .help = "retrial gate --kind " + word_of(evidence) +
                       " --history watch.db --command base='./v1/bench' --command head='./new/bench'"});
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
                   "measurement changed, not the commit (default control, where the gate runs the sides)"},
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

WatchAnswer watch_commit(const Arguments& arguments) {
  const std::string file = history_file(arguments);
  refuse_options(arguments, {"reason"}, {.problem = "needs --reset"});
  const DetectorEvidence evidence = evidence_given(arguments);
  if (evidence == DetectorEvidence::paired_sign)
    refuse_options(arguments, {"reference"},
                   {.problem = "is for normal_known and bounded; paired_sign measures both sides"});
  else
    refuse_options(arguments, {"control"}, {.problem = "is for paired_sign; here the baseline is its own control"});
  if (arguments.has("dry-run")) {
    print_runs(arguments, evidence);
    return {};
  }
  // Runs that cannot be read or judged leave no file behind, and none is made for a watch that refuses the commit.
  const std::string name = commit_named(arguments.value("commit"));
  if (std::filesystem::exists(file))
    (void)settings_given(arguments, watch_under_way(watch_states(results::Store(file, results::Store::Access::read))));
  const GivenRuns runs = given_runs(arguments, evidence, name);
  if (runs.signal != 0) return {.state = {}, .names = runs.names, .added = false, .signal = runs.signal};
  const EvidenceChoice choice{.statistic = runs.statistic, .allow_sequential = arguments.has("allow-sequential")};
  const auto next = [&](const std::vector<WatchState>& all, WatchState& answer) {
    const auto states = watch_under_way(all);
    const WatchSettings settings = settings_given(arguments, states);
    WatchedCommit commit =
        evidence_of(runs.inputs, settings, states.empty() ? std::nullopt : std::optional(states.back()), choice);
    commit.commit = name;
    return next_state(states, settings, commit, answer);
  };
  WatchAnswer out{.state = WatchState{}, .names = runs.names};
  out.names.history = file;
  if (!std::filesystem::exists(file)) static_cast<void>(next({}, *out.state));
  results::Store store(file, results::Store::Access::write);
  if (const auto added = append_state(store, [&](const auto& all) { return next(all, *out.state); }))
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
  refuse_options(arguments, {"scores", "command", "control", "reference", "commit", "arl", "direction"},
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
