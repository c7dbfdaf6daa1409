#include <iostream>

#include "harness/command.hpp"
#include "harness/output.hpp"
#include "harness/reproduction_page.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "variance/reproduce.hpp"

namespace retrial::harness {
namespace {

using variance::Reproduced;
using variance::Reproduction;

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& row : variance::all_reproductions()) all.emplace_back(row.name);
  return all;
}

const Reproduction& chosen(const Arguments& arguments) {
  const auto known = names();
  if (arguments.positional.size() != 1)
    throw Error({.code = arguments.positional.empty() ? "usage.missing_argument" : "usage.extra_argument",
                 .field = arguments.positional.empty() ? "TABLE" : results::one_line(arguments.positional[1], 100),
                 .problem = arguments.positional.empty() ? "which table?" : "one argument too many",
                 .allowed = results::joined(known),
                 .help = "usage: retrial reproduce TABLE [--json]"});
  const std::string& given = arguments.positional.front();
  if (const auto* found = variance::find_reproduction(given)) return *found;
  const auto near = results::nearest(given, known);
  throw Error({.code = "usage.unknown_name",
               .field = results::one_line(given, 100),
               .problem = "unknown table",
               .allowed = results::joined(known),
               .help = near ? "did you mean " + *near + "?" : "retrial reproduce --help"});
}

int run_reproduce(const Arguments& arguments) {
  const Reproduction& which = chosen(arguments);
  const Reproduced table = which.run();
  if (arguments.has("json"))
    print_json(reproduction_document(which, table));
  else
    std::cout << reproduction_page(which, table);
  return static_cast<int>(variance::agrees(table) ? Exit::ok : Exit::different);
}

}  // namespace

Command reproduce_command() {
  return {.name = "reproduce",
          .group = "judge",
          .purpose = "published tables computed anew, ours beside theirs, with what was wrong in them",
          .examples = {"retrial reproduce bouthillier", "retrial reproduce demsar --json"},
          .arguments = "TABLE",
          .options = {{.name = "json", .meaning = "one JSON document (schema retrial.reproduce/1)"}},
          .run = run_reproduce};
}

}  // namespace retrial::harness
