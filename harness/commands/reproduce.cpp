#include "harness/command_line/command.hpp"
#include "harness/ledger/page.hpp"
#include "harness/ledger/reproduction_page.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/reproduce/reproduce.hpp"
#include "workloads/published/table.hpp"

namespace retrial::harness::inline commands {
namespace {

using variance::Reproduced;
using variance::Reproduction;

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& row : variance::all_reproductions()) all.emplace_back(row.name);
  for (const auto& each : published::all_tables()) all.push_back(each.name);
  return all;
}

[[noreturn]] void refuse(const std::string& code, const std::string& field, const std::string& problem,
                         const std::string& help) {
  throw Error({.code = code,
               .field = results::one_line(field, 100),
               .problem = problem,
               .allowed = results::joined(names()),
               .help = help});
}

[[noreturn]] void refuse_unknown(const std::string& given) {
  const auto near = results::nearest(given, names());
  refuse("usage.unknown_name", given, "unknown table",
         near ? "did you mean " + *near + "?" : "retrial reproduce --help");
}

void refuse_more(const Arguments& arguments, std::size_t most) {
  if (arguments.positional.size() <= most) return;
  refuse("usage.extra_argument", arguments.positional[most], "one argument too many",
         most == 1 ? "usage: retrial reproduce TABLE [--json]" : "usage: retrial reproduce LEDGER [STORE] [--json]");
}

int compute_anew(const Arguments& arguments, const Reproduction& which) {
  refuse_more(arguments, 1);
  refuse_options(arguments, {"margin", "sd", "study"},
                 {.problem = "belongs to a ledger of published results, not to " + std::string(which.name)});
  const Reproduced table = which.run();
  print_part(reproduction_part(which, table), arguments.has("json"));
  return static_cast<int>(variance::agrees(table) ? Exit::ok : Exit::different);
}

int show_ledger(const Arguments& arguments, const published::Table& which) {
  refuse_options(arguments, {"margin", "study"},
                 {.problem = "needs a store", .help = "retrial reproduce " + which.name + " STORE"});
  const double sd = arguments.number("sd", {0, 100, true}).value_or(which.sd);
  print_part(ledger_part(which, sd), arguments.has("json"));
  return 0;
}

int judge_store(const Arguments& arguments, const published::Table& which) {
  if (arguments.has("sd"))
    throw Error({.code = "usage.option_value",
                 .field = "--sd",
                 .problem = "plans runs without a store; the trials of a store have one of their own"});
  LedgerSettings settings;
  settings.margin = arguments.number("margin", {0, 100, true}).value_or(settings.margin);
  Arguments behind = arguments;
  behind.positional.erase(behind.positional.begin());
  const StoreChoice choice = store_choice(behind, {.usage = "reproduce " + which.name + " [STORE]"});
  const results::Store store = open_for_reading(choice.path);
  const StudyView study = read_study(store, chosen_study(store, arguments.value("study")));
  const LedgerReport report = judge_ledger(which, store, study, settings);
  print_part(judged_part(which, report), arguments.has("json"));
  return static_cast<int>(exit_of(report));
}

int run_reproduce(const Arguments& arguments) {
  if (arguments.positional.empty())
    refuse("usage.missing_argument", "TABLE", "which table?", "usage: retrial reproduce TABLE [STORE] [--json]");
  const std::string& given = arguments.positional.front();
  if (const auto* which = variance::find_reproduction(given)) return compute_anew(arguments, *which);
  const auto* which = published::find_table(given);
  if (which == nullptr) refuse_unknown(given);
  refuse_more(arguments, 2);
  return arguments.positional.size() == 2 ? judge_store(arguments, *which) : show_ledger(arguments, *which);
}

}  // namespace

Command reproduce_command() {
  return {
      .name = "reproduce",
      .group = "judge",
      .purpose = "published tables computed anew, and your trials beside published results",
      .examples = {"retrial reproduce bouthillier", "retrial reproduce demsar --json", "retrial reproduce kd-survey",
                   "retrial reproduce kd-survey mine.db --margin 0.3", "retrial reproduce kd-survey mine.db --json"},
      .arguments = "TABLE [STORE]",
      .options = {{.name = "margin",
                   .value_name = "PP",
                   .meaning = "with a STORE: a published number is confirmed by a 95 % interval of the mean that "
                              "contains it and lies within this distance of it (default 0.5)"},
                  {.name = "sd",
                   .value_name = "PP",
                   .meaning = "of a ledger: standard deviation between seeds that the runs are planned with"},
                  {.name = "study",
                   .value_name = "NAME",
                   .meaning = "the study of this name or digest, where the store holds several"},
                  {.name = "json",
                   .meaning = "one JSON document (retrial.reproduce/1; of a ledger retrial.ledger/1, with a store "
                              "retrial.published/1)"}},
      .run = run_reproduce};
}

}  // namespace retrial::harness::inline commands
