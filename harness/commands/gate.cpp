#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "harness/command_line/command.hpp"
#include "harness/gate/bencher.hpp"
#include "harness/gate/ci_files.hpp"
#include "harness/gate/gate_page.hpp"
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

const std::map<std::string, Statistic>& statistics() {
  static const std::map<std::string, Statistic> words{{"min", Statistic::min},
                                                      {"q1", Statistic::q1},
                                                      {"median", Statistic::median},
                                                      {"mean", Statistic::mean},
                                                      {"last", Statistic::last}};
  return words;
}

GateSettings gate_settings(const Arguments& arguments) {
  GateSettings out;
  const auto level = [&](const char* name, double& value) {
    value = arguments.number(name, {0, 0.5, true, true}).value_or(value);
  };
  level("alpha", out.alpha);
  level("equiv-alpha", out.equiv_alpha);
  out.power = arguments.number("power", {0.5, 1, true, true}).value_or(out.power);
  out.absolute = arguments.has("min-effect-abs") || arguments.has("margin-abs");
  if (out.absolute) {
    for (const char* name : {"min-effect-abs", "margin-abs"})
      if (!arguments.has(name))
        throw Error({.code = "usage.missing_option",
                     .field = "--" + std::string(name),
                     .problem = "must be given: an absolute least effect and an absolute margin go together"});
    refuse_options(arguments, {"min-effect", "margin"}, {.problem = "is a share, and --min-effect-abs has a unit"});
  }
  const std::string suffix = out.absolute ? "-abs" : "";
  out.min_effect = arguments.number("min-effect" + suffix, {0, 1e300}).value_or(out.min_effect);
  out.margin = arguments.number("margin" + suffix, {0, 1e300}).value_or(out.margin);
  if (out.margin != 0.0 && out.margin <= out.min_effect)
    throw Error({.code = "usage.option_value",
                 .field = "--margin" + suffix,
                 .value = results::text_of(out.margin),
                 .problem = "is not above the least effect",
                 .allowed = "more than " + results::text_of(out.min_effect) + ", or 0 to judge no equivalence"});
  if (const auto word = arguments.value("statistic")) out.statistic = statistics().at(*word);
  const std::string test = arguments.value("test").value_or("auto");
  out.test = test == "rank" ? GateTest::rank : test == "paired" ? GateTest::paired : GateTest::automatic;
  const std::string failure = arguments.value("failure").value_or("refuse");
  out.failure = failure == "loss" ? GateFailure::loss : failure == "drop" ? GateFailure::drop : GateFailure::refuse;
  out.allow_sequential = arguments.has("allow-sequential");
  out.inconclusive = arguments.value("inconclusive").value_or("fail");
  out.allow_diff = arguments.values("allow-diff");
  return out;
}

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

GateSuite suite_given(const Arguments& arguments) {
  const auto inputs = score_inputs(arguments.values("scores"), roles_given(arguments));
  refuse_copies(inputs);
  ScoreTable table = read_score_table(inputs, arguments.value("format"));
  for (const std::string& hole : table.holes) table.notes.push_back("no score: " + hole);
  const ScoreNames names{.where = table.name, .names = table.variants()};
  if (names.names.size() < 2)
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.no_baseline",
                 .where = table.name,
                 .problem = "holds one side: there is no baseline",
                 .help = "retrial gate --scores base=FILE --scores head=FILE, one file per process, or a CSV file with "
                         "two variants"});
  const Sides sides = sides_of(names, arguments);
  return suite_of_scores(table, {.baseline = names.names[sides.baseline],
                                 .candidate = names.names[sides.candidate],
                                 .metrics = arguments.values("metric"),
                                 .direction = direction_given(arguments)});
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
                           "statistic", "allow-sequential", "allow-diff", "json", "summary"})
    read.emplace_back(name);
  for (const auto& [name, _] : arguments.options)
    if (std::ranges::find(read, name) == read.end())
      refuse_options(arguments, {name},
                     {.problem = "is not read by --kind " + arguments.value("kind").value_or("") +
                                 ", which watches a history; --kind pairs judges one change"});
}

int run_watch(const Arguments& arguments) {
  refuse_options_of_pairs(arguments);
  if (arguments.has("reset")) {
    std::cout << reset_watch(arguments) << "\n";
    return 0;
  }
  const auto word = arguments.value("statistic");
  const WatchAnswer answer = watch_commit(arguments, word ? statistics().at(*word) : Statistic::automatic);
  const report::Section section = watch_section(answer.state, answer.names);
  if (const auto file = arguments.value("summary"))
    write_output(*file, report::markdown(section));
  else if (const auto step = variable("GITHUB_STEP_SUMMARY"))
    append_to(*step, report::markdown(section));
  if (const auto file = variable("GITHUB_OUTPUT"))
    append_to(*file, "verdict=" + answer.state.verdict() + "\nexit=" + std::to_string(answer.state.exit()) + "\n");
  print_part({.section = section, .data = watch_document(answer.state, answer.names)}, arguments.has("json"));
  if (!answer.added) note("this commit is in the history already, or the watch is invalid: nothing was added");
  return answer.state.exit();
}

int run_gate(const Arguments& arguments) {
  if (arguments.value("kind").value_or("pairs") != "pairs") return run_watch(arguments);
  refuse_options(arguments, names_in(watch_options()),
                 {.problem = "is not read by --kind pairs, which judges one change; a history is watched by --kind "
                             "paired_sign, normal_known or bounded"});
  refuse_extra(arguments, 0, "gate --scores base=FILE --scores head=FILE");
  if (!arguments.has("scores"))
    throw Error({.code = "usage.missing_option",
                 .field = "--scores",
                 .problem = "must be given: the two sides",
                 .help = "retrial gate --scores base=a.json --scores head=b.json"});
  const GateSettings settings = gate_settings(arguments);
  std::vector<OutputFile> outputs;
  for (const char* name : {"junit", "summary", "bencher"})
    if (const auto file = arguments.value(name)) outputs.push_back({"--" + std::string(name), *file});
  std::vector<std::filesystem::path> read;
  for (const std::string& text : arguments.values("scores")) read.emplace_back(text.substr(text.find('=') + 1));
  demand_separate(outputs, read);
  GateSuite suite = suite_given(arguments);
  if (arguments.has("self-test")) suite = slowed_down(std::move(suite), 0.2);
  const GateResult result = judge_suite(suite, settings);
  if (const auto file = arguments.value("junit")) write_output(*file, junit(result, settings));
  if (const auto file = arguments.value("summary")) write_output(*file, summary_markdown(result, settings));
  if (const auto file = arguments.value("bencher"))
    write_output(*file, results::printed(bencher_document(suite, settings)));
  if (const auto file = variable("GITHUB_STEP_SUMMARY"); file && !arguments.has("summary"))
    append_to(*file, summary_markdown(result, settings));
  if (const auto file = variable("GITHUB_OUTPUT")) append_to(*file, github_output(result));
  print_part({.section = gate_section(result, settings, result.claims.size()), .data = gate_document(result, settings)},
             arguments.has("json"));
  if (arguments.has("annotate")) (arguments.has("json") ? std::cerr : std::cout) << annotations(result, settings);
  return result.exit;
}

std::vector<std::string> statistic_names() {
  std::vector<std::string> out;
  for (const auto& [name, _] : statistics()) out.push_back(name);
  return out;
}

std::vector<Option> judging_options() {
  return under(
      "Judging",
      {{.name = "alpha",
        .value_name = "A",
        .meaning = "probability that a suite without a change is called regressed (default 0.01)"},
       {.name = "min-effect", .value_name = "X", .meaning = "a smaller change is none: share (default 0.02)"},
       {.name = "margin",
        .value_name = "X",
        .meaning = "changes within it are equivalent: share (default 0.05; 0: equivalence is not judged)"},
       {.name = "min-effect-abs", .value_name = "X", .meaning = "the same in the unit of the metric"},
       {.name = "margin-abs", .value_name = "X", .meaning = "the same in the unit of the metric"},
       {.name = "equiv-alpha", .value_name = "A", .meaning = "error rate of equivalence, per side (default 0.05)"},
       {.name = "power", .value_name = "P", .meaning = "power of the detectable changes on the page (default 0.9)"},
       {.name = "statistic",
        .value_name = "WHAT",
        .meaning = "how repetitions in one process become one value (default: min where lower is better, else last)",
        .choices = statistic_names()},
       {.name = "test",
        .value_name = "NAME",
        .meaning = "exact rank test of processes, or signed ranks of pairs (default auto: paired where runs have pair "
                   "numbers)",
        .choices = {"auto", "rank", "paired"}},
       {.name = "failure",
        .value_name = "HOW",
        .meaning = "a failed process: the claim fails, it is a loss, or up to 5 % are left out (default refuse)",
        .choices = {"refuse", "loss", "drop"}},
       {.name = "inconclusive",
        .value_name = "HOW",
        .meaning = "exit code of an inconclusive suite: 3, 0 with a warning, or 0 (default fail)",
        .choices = {"fail", "warn", "pass"}},
       {.name = "self-test",
        .meaning = "make every value of the candidate 20 % worse: a gate that works ends with code 1"},
       {.name = "allow-sequential", .meaning = "judge sides that did not take turns; a drift looks like a change"},
       {.name = "allow-diff",
        .value_name = "KEY",
        .meaning = "a fact of the machine that may differ between the sides",
        .repeats = true}});
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
                   "retrial gate --scores times.csv --lower --junit gate.xml --summary gate.md --json"},
      .arguments = "",
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
              {.name = "baseline", .value_name = "NAME", .meaning = "the side before the change"},
              {.name = "candidate", .value_name = "NAME", .meaning = "the side after the change"},
              {.name = "metric", .value_name = "NAME", .meaning = "judge this metric (default: all)", .repeats = true},
              {.name = "higher", .meaning = "higher scores are better, where the file does not say"},
              {.name = "lower", .meaning = "lower scores are better, where the file does not say"}} +
          judging_options() + watch_options() +
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
