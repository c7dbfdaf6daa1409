#include <array>
#include <charconv>
#include <cmath>
#include <iostream>

#include "harness/command.hpp"
#include "harness/output.hpp"
#include "harness/table.hpp"
#include "harness/terminal.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "variance/reproduce.hpp"

namespace retrial::harness {
namespace {

using variance::Reproduced;
using variance::ReproducedLine;
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

/// One digit more than the tolerance tells apart.
std::string numbers(const std::vector<double>& values, double tolerance) {
  const int decimals = tolerance > 0.0 ? 1 + static_cast<int>(std::ceil(-std::log10(tolerance))) : 0;
  std::vector<std::string> texts;
  for (const double v : values) {
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), v, std::chars_format::fixed, decimals);
    texts.emplace_back(text.data(), end.ptr);
  }
  return results::joined(texts, " ");
}

Json list(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(results::rounded10(v));
  return out;
}

Json document(const Reproduction& which, const Reproduced& table) {
  Json lines = Json::array();
  for (const ReproducedLine& line : table.lines)
    lines.push_back({{"what", line.what},
                     {"value", list(line.value)},
                     {"reference", list(line.reference)},
                     {"tolerance", line.tolerance},
                     {"ok", line.ok()}});
  return {{"schema", "retrial.reproduce/1"}, {"name", which.name}, {"title", which.title},
          {"source", which.source},          {"lines", lines},     {"corrections", table.corrections},
          {"ok", variance::agrees(table)}};
}

std::string page(const Reproduction& which, const Reproduced& table) {
  TextTable rows({{"what"}, {"ours"}, {"reference"}, {"+-", Align::right}, {"ok"}});
  std::size_t wrong = 0;
  for (const ReproducedLine& line : table.lines) {
    wrong += line.ok() ? 0 : 1;
    rows.add({line.what, numbers(line.value, line.tolerance), numbers(line.reference, line.tolerance),
              short_text(line.tolerance, 1), line.ok() ? "ok" : red("DIFFERS")});
  }
  std::string out = bold(results::one_line(std::string(which.title), 200)) + "\n";
  for (const auto& text : wrapped("reference: " + std::string(which.source), terminal_width())) out += text + "\n";
  out += "\n" + rows.text(2, terminal_width());
  if (!table.corrections.empty()) out += "\n" + bold("Corrected") + "\n";
  TextTable corrections({{""}, {""}});
  for (const auto& sentence : table.corrections) corrections.add({"-", sentence});
  if (!table.corrections.empty()) out += corrections.text(2, terminal_width());
  return out + "\n" +
         (wrong == 0 ? "All " + std::to_string(table.lines.size()) + " lines agree.\n"
                     : std::to_string(wrong) + " of " + std::to_string(table.lines.size()) + " lines DIFFER.\n");
}

int run_reproduce(const Arguments& arguments) {
  const Reproduction& which = chosen(arguments);
  const Reproduced table = which.run();
  if (arguments.has("json"))
    print_json(document(which, table));
  else
    std::cout << page(which, table);
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
