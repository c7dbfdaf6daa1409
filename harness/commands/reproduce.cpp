#include "variance/reproduce/reproduce.hpp"
#include "harness/command_line/command.hpp"
#include "harness/judge/looks/look.hpp"
#include "harness/ledger/conclusion_looks.hpp"
#include "harness/ledger/page.hpp"
#include "harness/ledger/reproduction_page.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/published/table.hpp"

namespace retrial::harness::inline commands {
namespace {

using variance::Reproduced;
using variance::Reproduction;

std::vector<std::string> reproduction_names() {
  std::vector<std::string> all = names_in(variance::all_reproductions());
  for (const auto& each : published::all_tables()) all.push_back(each.name);
  return all;
}

[[noreturn]] void refuse_reproduction(const std::string& code, const std::string& field, const std::string& problem,
                                      const std::string& help) {
  throw Error({.code = code,
               .field = results::one_line(field, 100),
               .problem = problem,
               .allowed = results::joined(reproduction_names()),
               .help = help});
}

[[noreturn]] void refuse_unknown(const std::string& given) {
  const auto near = results::nearest(given, reproduction_names());
  refuse_reproduction("usage.unknown_name", given, "unknown table",
                      near ? "did you mean " + *near + "?" : "retrial reproduce --help");
}

int recompute(const Arguments& arguments, const Reproduction& which) {
  refuse_extra(arguments, 1, "reproduce TABLE [--json]");
  refuse_options(arguments, {"margin", "sd", "study", "foreign"},
                 {.problem = "is for a ledger of published results, not for " + std::string(which.name)});
  const Reproduced table = which.run();
  print_part(reproduction_part(which, table), arguments.has("json"));
  return static_cast<int>(variance::agrees(table) ? Exit::ok : Exit::different);
}

int show_ledger(const Arguments& arguments, const published::Table& which) {
  refuse_options(arguments, {"margin", "study", "foreign"},
                 {.problem = "needs a store", .help = "retrial reproduce " + which.name + " STORE"});
  const double sd = arguments.number("sd", {0, 100, true}).value_or(which.sd);
  print_part(ledger_part(which, sd), arguments.has("json"));
  return 0;
}

int judge_store(const Arguments& arguments, const published::Table& which) {
  refuse_options(arguments, {"sd"},
                 {.problem = "is for planning runs without a store; with a store it is estimated from the trials"});
  LedgerSettings settings;
  settings.margin = arguments.number("margin", {0, 100, true}).value_or(settings.margin);
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin());
  const StoreChoice choice = store_choice(rest, {.usage = "reproduce " + which.name + " [STORE]"});
  const results::Store store = open_for_reading(choice.path);
  const StudyView study = read_study(store, chosen_study(store, arguments.value("study")));
  LedgerReport report = judge_ledger(which, store, study, settings);
  report.recorded = recorder(arguments, choice.path)(looks_at_conclusions(which, report, store, study));
  print_part(judged_part(which, report), arguments.has("json"));
  return static_cast<int>(exit_of(report));
}

int run_reproduce(const Arguments& arguments) {
  if (arguments.positional.empty())
    refuse_reproduction("usage.missing_argument", "TABLE", "missing",
                        "usage: retrial reproduce TABLE [STORE] [--json]");
  const std::string& given = arguments.positional.front();
  if (const auto* which = variance::find_reproduction(given)) return recompute(arguments, *which);
  const auto* which = published::find_table(given);
  if (which == nullptr) refuse_unknown(given);
  refuse_extra(arguments, 2, "reproduce LEDGER [STORE] [--json]");
  return arguments.positional.size() == 2 ? judge_store(arguments, *which) : show_ledger(arguments, *which);
}

}  // namespace

Command reproduce_command() {
  return {
      .name = "reproduce",
      .group = "judge",
      .purpose = "recompute published tables, and compare your trials with published results",
      .examples = {"retrial reproduce bouthillier", "retrial reproduce demsar --json", "retrial reproduce kd-survey",
                   "retrial reproduce kd-survey mine.db --margin 0.3", "retrial reproduce kd-survey mine.db --json"},
      .arguments = "TABLE [STORE]",
      .options = {{.name = "margin",
                   .value_name = "PP",
                   .meaning =
                       "with STORE: a published number is confirmed if the 95 % interval of the mean contains it and "
                       "stays within this distance of it, in percentage points (default 0.5)"},
                  {.name = "sd",
                   .value_name = "PP",
                   .meaning = "ledgers only: assumed standard deviation between seeds, for planning runs"},
                  study_option(),
                  foreign_option(),
                  {.name = "json",
                   .meaning =
                       "one JSON document (schema retrial.reproduce/1; for a ledger retrial.ledger/1, with STORE "
                       "retrial.published/1)"}},
      .run = run_reproduce};
}

}  // namespace retrial::harness::inline commands
