#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "harness/command_line/command.hpp"
#include "harness/gate/bencher.hpp"
#include "harness/gate/ci_files.hpp"
#include "harness/gate/gate_document.hpp"
#include "harness/gate/gate_page.hpp"
#include "harness/gate/gate_settings.hpp"
#include "harness/gate/measured/baseline.hpp"
#include "harness/gate/measured/measure.hpp"
#include "harness/gate/measured/planned_suite.hpp"
#include "harness/gate/suite_of_scores.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "harness/text/output_files.hpp"
#include "harness/watch/watch_gate.hpp"
#include "results/json/json.hpp"
#include "results/report/render.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline commands {
namespace {

/// A copy of a file is no second process.
void refuse_copies(const std::vector<ScoreInput>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (inputs[i].text == inputs[j].text)
        throw Error({.code = "gate.copy",
                     .where = inputs[i].path.string(),
                     .problem = "has the same bytes as " + inputs[j].path.string() + ": a copy is no second process",
                     .help = "give every file once; each process writes a file of its own"});
}

/// The side of --anchor, which is neither baseline nor candidate.
std::optional<std::string> anchor_among(std::vector<std::string>& names, const Arguments& arguments) {
  const auto word = arguments.value("anchor");
  if (!word) return {};
  const auto found = std::ranges::find(names, *word);
  if (found == names.end()) {
    const auto near = results::nearest(*word, names);
    throw Error({.code = "usage.option_value",
                 .field = "--anchor",
                 .value = results::one_line(*word, 100),
                 .problem = "no such side among the scores",
                 .allowed = results::one_line(results::joined(names), 400),
                 .help = near ? "did you mean --anchor " + *near + "?" : ""});
  }
  names.erase(found);
  return word;
}

GateSuite suite_given(const Arguments& arguments, const GateSettings& settings) {
  const auto inputs = score_inputs(arguments.values("scores"), roles_given(arguments));
  refuse_copies(inputs);
  ScoreTable table = read_score_table(inputs, arguments.value("format"));
  for (const std::string& hole : table.holes) table.notes.push_back("no score: " + hole);
  ScoreNames names{.where = table.name, .names = table.variants()};
  const auto anchor = anchor_among(names.names, arguments);
  if (names.names.size() < 2)
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.no_baseline",
                 .where = table.name,
                 .problem = "holds one side: there is no baseline",
                 .help = "retrial gate --scores base=FILE --scores head=FILE, one file per process, or a CSV file with "
                         "two variants"});
  const Sides sides = sides_of(names, arguments);
  SuiteChoice choice{.baseline = names.names[sides.baseline],
                     .candidate = names.names[sides.candidate],
                     .metrics = arguments.values("metric"),
                     .direction = direction_given(arguments),
                     .absolute = settings.min_effect_abs.has_value()};
  GateSuite out = suite_of_scores(table, choice);
  if (anchor) {
    choice.baseline = *anchor;
    add_anchor(out, suite_of_scores(table, choice), settings.allow_diff);
  }
  return out;
}

void append_to(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::app | std::ios::binary);
  out << text;
  out.flush();
  if (!out)
    throw Error({.exit = Exit::measurement, .code = "output.write", .where = file, .problem = "cannot be written"});
}

std::optional<std::string> variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? std::nullopt : std::optional<std::string>(text);
}

/// Everything that a watch reads; all other options belong to `pairs`.
void refuse_options_of_pairs(const Arguments& arguments) {
  std::vector<std::string> read = names_in(watch_options());
  for (const char* name : {"kind", "scores", "columns", "format", "baseline", "candidate", "metric", "higher", "lower",
                           "statistic", "allow-sequential", "allow-diff", "commit", "base-commit", "json", "summary"})
    read.emplace_back(name);
  if (!arguments.has("scores")) {
    for (const Option& option : suite_options()) read.push_back(option.name);
    for (const char* name : {"pairs", "count"}) read.emplace_back(name);
  }
  for (const auto& [name, _] : arguments.options)
    if (std::ranges::find(read, name) == read.end())
      refuse_options(arguments, {name},
                     {.problem = "is not read by --kind " + arguments.value("kind").value_or("") +
                                 (arguments.has("scores") ? " of --scores" : "") +
                                 ", which watches a history; --kind pairs judges one change"});
}

int run_watch(const Arguments& arguments) {
  refuse_options_of_pairs(arguments);
  if (arguments.has("reset")) {
    std::cout << reset_watch(arguments) << "\n";
    return 0;
  }
  const WatchAnswer answer = watch_commit(arguments);
  if (answer.signal != 0) {
    note("interrupted: nothing was added to the history; run the same line again to continue");
    return 128 + answer.signal;
  }
  if (!answer.state) return 0;
  const WatchState& state = *answer.state;
  const report::Section section = watch_section(state, answer.names);
  if (const auto file = arguments.value("summary"))
    write_output(*file, report::markdown(section));
  else if (const auto step = variable("GITHUB_STEP_SUMMARY"))
    append_to(*step, report::markdown(section));
  if (const auto file = variable("GITHUB_OUTPUT"))
    append_to(*file, "verdict=" + state.verdict() + "\nexit=" + std::to_string(state.exit()) + "\n");
  print_part({.section = section, .data = watch_document(state, answer.names)}, arguments.has("json"));
  if (!answer.added) note("this commit is in the history already, or the watch is invalid: nothing was added");
  return state.exit();
}

/// Options that only a gate reads that runs its sides.
void refuse_options_of_runs(const Arguments& arguments, const std::string& why) {
  std::vector<std::string> idle;
  for (const Option& option : suite_options() + baseline_options())
    if (option.name != "data" && option.name != "anchor" && option.name != "base-commit") idle.push_back(option.name);
  for (const char* name : {"count", "pairs", "until-decided", "max-pairs", "launches", "calibration"})
    idle.emplace_back(name);
  refuse_options(arguments, idle, {.problem = "is for suites that the gate runs, and " + why});
}

/// Score files were written by others: nothing is run.
Measured judged_scores(const Arguments& arguments) {
  refuse_extra(arguments, 0, "gate --scores base=FILE --scores head=FILE");
  refuse_options_of_runs(arguments, "--scores are files of others");
  refuse_options(arguments, {"base-commit"}, {.problem = "is for stores, and --scores are files of others"});
  const GateSettings settings = gate_settings(arguments);
  GateSuite suite = suite_given(arguments, settings);
  if (arguments.has("self-test")) suite = slowed_down(std::move(suite), 0.2);
  GateResult result = judge_suite(suite, settings);
  return {.result = std::move(result), .settings = settings, .suite = std::move(suite)};
}

void demand_a_source(const Arguments& arguments) {
  if (!arguments.positional.empty() || arguments.has("command")) return;
  throw Error({.code = "usage.missing_option",
               .field = "SUITE.toml, --command or --scores",
               .problem = "one must be given: the two sides",
               .help = "retrial gate --command base='./old/bench' --command head='./new/bench', or retrial gate "
                       "--scores base=a.json --scores head=b.json"});
}

std::vector<std::filesystem::path> files_read(const Arguments& arguments) {
  std::vector<std::filesystem::path> out(arguments.positional.begin(), arguments.positional.end());
  for (const std::string& text : arguments.values("scores")) out.emplace_back(text.substr(text.find('=') + 1));
  return out;
}

int run_gate(const Arguments& arguments) {
  if (arguments.value("kind").value_or("pairs") != "pairs") return run_watch(arguments);
  refuse_options(arguments, names_in(watch_options()),
                 {.problem = "is not read by --kind pairs, which judges one change; a history is watched by --kind "
                             "paired_sign, normal_known or bounded"});
  const bool scores = arguments.has("scores");
  const bool stores = !scores && arguments.positional.empty() && !arguments.has("command") &&
                      arguments.has("baseline") && arguments.has("candidate");
  if (!scores && !stores) demand_a_source(arguments);
  std::vector<OutputFile> outputs;
  for (const char* name : {"junit", "summary", "bencher"})
    if (const auto file = arguments.value(name)) outputs.push_back({"--" + std::string(name), *file});
  demand_separate(outputs, files_read(arguments));
  if (!scores) {
    if (stores) {
      refuse_options_of_runs(arguments, "two stores hold runs that are made already");
      refuse_options(arguments, {"anchor"}, {.problem = "is for suites that the gate runs, and for --scores"});
    } else {
      refuse_options(arguments, {"candidate"},
                     {.problem = "is run by the gate; it is for --scores and for two stores"});
    }
    refuse_options(arguments, {"columns", "format"}, {.problem = "is for --scores, and this suite is run"});
    if (arguments.has("dry-run")) {
      print_suite(arguments);
      return 0;
    }
  }
  if (!scores && arguments.has("make-baseline")) return make_baseline(arguments);
  const Measured judged = scores   ? judged_scores(arguments)
                          : stores ? judge_stores(arguments)
                                   : measure_and_judge(arguments);
  if (judged.signal != 0) {
    note("interrupted: nothing is judged; run the same line again to continue");
    return 128 + judged.signal;
  }
  if (judged.launched) {
    const auto [run, planned] = *judged.launched;
    note("this launch is done, " + std::to_string(run) + " of " + counted(planned, "pair") +
         " are run, and nothing is judged yet: run the same line again, best after a reboot or on another host");
    return static_cast<int>(Exit::inconclusive);
  }
  const GateResult& result = judged.result;
  const GateSettings& settings = judged.settings;
  if (const auto file = arguments.value("junit")) write_output(*file, junit(result, settings));
  if (const auto file = arguments.value("summary")) write_output(*file, summary_markdown(result, settings));
  if (const auto file = arguments.value("bencher"))
    write_output(*file, results::printed(bencher_document(judged.suite, settings)));
  if (const auto file = variable("GITHUB_STEP_SUMMARY"); file && !arguments.has("summary"))
    append_to(*file, summary_markdown(result, settings));
  if (const auto file = variable("GITHUB_OUTPUT")) append_to(*file, github_output(result));
  print_part({.section = gate_section(result, settings, result.claims.size()), .data = gate_document(result, settings)},
             arguments.has("json"));
  if (arguments.has("annotate")) (arguments.has("json") ? std::cerr : std::cout) << annotations(result, settings);
  return result.exit;
}

}  // namespace

Command gate_command() {
  return {
      .name = "gate",
      .group = "guard",
      .purpose = "is this commit worse: one verdict and one exit code for a suite of benchmarks",
      .examples = {"retrial gate --scores base=b1.json --scores head=h1.json --scores base=b2.json --scores "
                   "head=h2.json",
                   "retrial gate --scores times.csv --lower --allow-sequential",
                   "retrial gate --scores times.csv --lower --junit gate.xml --summary gate.md --json",
                   "retrial gate --command base='./old/bench' --command head='./new/bench' --pairs 10",
                   "retrial gate suite.toml --allow-commands --count instructions",
                   "retrial gate --kind paired_sign --history watch.db --command v1='./v1/bench' --command "
                   "head='./new/bench'"},
      .arguments = "[SUITE.toml...]",
      .options =
          std::vector<Option>{
              {.name = "kind",
               .value_name = "KIND",
               .meaning =
                   "the evidence: pairs judges one change (default); the others watch a history, commit by commit",
               .choices = gate_kinds()},
              {.name = "scores",
               .value_name = "NAME=FILE",
               .meaning = "a side and the file of one of its processes; the first side is the "
                          "baseline. Or one CSV file with two variants",
               .repeats = true},
              score_file_options()[0],
              score_file_options()[1],
              {.name = "baseline",
               .value_name = "NAME",
               .meaning =
                   "the side before the change: a name among --scores, or STORE[@DIGEST][:EXPR], where EXPR takes a "
                   "part of it ('variant = a and pair < 10')"},
              {.name = "candidate",
               .value_name = "NAME",
               .meaning = "the side after the change: a name, or a store beside that of --baseline"},
              {.name = "higher", .meaning = "higher scores are better, where the file does not say"},
              {.name = "lower", .meaning = "lower scores are better, where the file does not say"}} +
          judging_options() +
          under("Judging",
                {{.name = "self-test",
                  .meaning = "make every value of the candidate 20 % worse: a gate that works ends with code 1"},
                 {.name = "mid-p",
                  .meaning = "show the mid-p of rank tests, which are conservative where values are tied; it decides "
                             "nothing"}}) +
          suite_options() + baseline_options() +
          under("Judging",
                {{.name = "calibration",
                  .value_name = "STORE",
                  .meaning = "calibration.db of retrial calibrate (default: in NAME-calibration next to the store)"}}) +
          watch_options() +
          under("Output",
                {{.name = "json", .meaning = "one JSON document (schema retrial.gate/1)"},
                 {.name = "junit", .value_name = "FILE", .meaning = "write JUnit XML"},
                 {.name = "summary",
                  .value_name = "FILE",
                  .meaning = "write Markdown of at most 65,000 bytes (default: append to $GITHUB_STEP_SUMMARY, "
                             "where it is set)"},
                 {.name = "bencher",
                  .value_name = "FILE",
                  .meaning = "write the candidate's medians and their 95 % intervals in the Bencher Metric Format"},
                 {.name = "annotate", .meaning = "print GitHub's ::error and ::warning lines"}}),
      .run = run_gate};
}

}  // namespace retrial::harness::inline commands
