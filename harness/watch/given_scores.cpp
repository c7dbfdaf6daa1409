#include <algorithm>

#include "harness/gate/gate_settings.hpp"
#include "harness/gate/suite_of_scores.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/watch/given_runs.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline watch {
namespace {

using variance::DetectorEvidence;

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

}  // namespace

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

GivenRuns runs_of_scores(const Arguments& arguments, DetectorEvidence evidence) {
  refuse_extra(arguments, 0, "gate --kind KIND --history FILE --scores base=FILE --scores head=FILE");
  const auto files = score_inputs(arguments.values("scores"), roles_given(arguments));
  const ScoreTable table = read_score_table(files, arguments.value("format"));
  GivenRuns out{.inputs = {},
                .names = names_given(arguments, table, evidence == DetectorEvidence::paired_sign),
                .statistic = gate_settings(arguments).statistic};
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
  out.inputs.reference = reference_given(arguments, choice.metrics);
  require_one_machine(out.inputs.judged, arguments);
  if (out.inputs.control) require_one_machine(*out.inputs.control, arguments);
  return out;
}

}  // namespace retrial::harness::inline watch
