#include <iostream>

#include "harness/command.hpp"
#include "harness/output.hpp"
#include "harness/report/formats.hpp"
#include "harness/report/gather.hpp"
#include "harness/store_argument.hpp"
#include "results/error.hpp"
#include "results/report/figures.hpp"
#include "results/text.hpp"

namespace retrial::harness {
namespace {

int run_report(const Arguments& arguments) {
  const auto file = arguments.value("output");
  const ReportFormat& format = chosen_format(arguments.value("format"), file);
  const StoreChoice choice = store_choice(arguments, {.usage = "report [STORE] [-o FILE]"});
  const results::Store store = open_for_reading(choice.path);
  report::Report report =
      gather_report(read_material(store, read_study(store, chosen_study(store, arguments.value("study")))));
  if (format.draws) report::draw_figures(report);
  const std::string bytes = format.render(report);
  if (!file || *file == "-")
    std::cout << bytes;
  else
    write_output(*file, bytes);
  return 0;
}

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const auto& format : report_formats()) out.push_back(format.name);
  return out;
}

}  // namespace

Command report_command() {
  return {.name = "report",
          .group = "keep",
          .purpose =
              "everything about a study in one file that can be shown to others: verdict, evidence, every pair, "
              "configuration, digests",
          .examples = {"retrial report quickstart.db -o quickstart.html",
                       "retrial report quickstart.db -o quickstart.md", "retrial report quickstart.db --format json"},
          .arguments = "[STORE]",
          .options = {{.name = "output",
                       .letter = 'o',
                       .value_name = "FILE",
                       .meaning = "write this file, in the format that its ending names (html, md, json, txt); - or "
                                  "nothing: standard output"},
                      {.name = "format",
                       .value_name = "FORMAT",
                       .meaning = "on standard output (default: txt)",
                       .choices = format_names()},
                      {.name = "study",
                       .value_name = "NAME",
                       .meaning = "the study of this name or digest, where the store holds several"}},
          .run = run_report};
}

}  // namespace retrial::harness
