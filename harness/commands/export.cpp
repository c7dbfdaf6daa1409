#include <filesystem>
#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/stored/tidy_values.hpp"
#include "harness/text/output.hpp"
#include "harness/text/output_files.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/profiler/traces/chrome.hpp"
#include "workloads/profiler/traces/perfetto.hpp"
#include "workloads/profiler/traces/read.hpp"

namespace retrial::harness::inline commands {
namespace {

std::vector<results::StudyRow> studies_to_export(const results::Store& store, const Arguments& arguments) {
  auto all = store.studies();
  if (arguments.has("study") || all.empty()) return {chosen_study(store, arguments.value("study"))};
  return all;
}

/// CSV in a file called .parquet would be found out by its reader only.
void demand_csv_name(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending.empty() || ending == ".csv") return;
  throw Error({.code = "export.format",
               .field = "-o",
               .value = results::one_line(file, 200),
               .problem = "its extension names another format",
               .allowed = ".csv",
               .help = "docs/store.md: how pandas, R and SQL read a store"});
}

std::string left_out_text(const TidyCounts& counts) {
  const auto part = [](std::int64_t count, const char* state) {
    return count == 0 ? "" : ", " + std::to_string(count) + " " + state;
  };
  const auto none = counts.failed + counts.open;
  if (none == 0) return "";
  return counted(none, "trial") + " without values " + (none == 1 ? "has" : "have") + " no line" +
         part(counts.failed, "failed") + part(counts.open, "not finished");
}

/// A trace in the format of another viewer.
int export_trace(const Arguments& arguments) {
  refuse_options(arguments, {"metric", "study", "raw"},
                 {.problem = "is for a store, and --to exports a trace", .help = "leave out one of the two"});
  if (arguments.positional.size() != 1)
    refuse_usage("--to", "needs one trace", "usage: retrial export FILE.rtrace --to chrome|perfetto -o FILE");
  const std::string from = arguments.positional.front(), format = *arguments.value("to");
  const auto file = arguments.value("output");
  if (!file || *file == "-") refuse_usage("--to " + format, "needs a file", "-o FILE");
  demand_separate({{"-o", *file}}, {from});
  const auto damage = arguments.has("salvage") ? profiler::Damage::salvaged : profiler::Damage::refused;
  const profiler::Timeline timeline = profiler::read_trace(from, damage);
  write_new_output(*file, format == "chrome" ? profiler::chrome_json(timeline) : profiler::perfetto_bytes(timeline),
                   arguments.has("force"));
  std::cout << *file << ": "
            << counted(std::ssize(timeline.operations) + std::ssize(timeline.layers) + std::ssize(timeline.calls) +
                           std::ssize(timeline.gpu),
                       "interval")
            << " of " << counted(std::ssize(timeline.lanes), "lane") << "\n";
  return 0;
}

int run_export(const Arguments& arguments) {
  if (arguments.has("to")) return export_trace(arguments);
  refuse_options(arguments, {"salvage"}, {.problem = "is for a trace", .help = "add --to chrome or --to perfetto"});
  const StoreChoice choice = store_choice(arguments, {.usage = "export [STORE] -o FILE.csv"});
  const std::string file = arguments.value("output").value_or("-");
  if (file == "-")
    refuse_options(arguments, {"force"}, {.problem = "needs a file: -o FILE.csv"});
  else
    demand_separate({{"-o", file}}, {choice.path});
  demand_csv_name(file);
  const results::Store store = open_for_reading(choice.path);
  const TidyChoice tidy{
      .studies = studies_to_export(store, arguments), .metric = arguments.value("metric"), .raw = arguments.has("raw")};
  std::string text;
  const auto counts = write_tidy_values(store, tidy, [&](const std::string& lines) {
    if (file == "-")
      std::cout << lines;
    else
      text += lines;
  });
  if (const auto left_out = left_out_text(counts); !left_out.empty()) note(left_out);
  if (file == "-") return 0;
  write_new_output(file, text, arguments.has("force"));
  std::cout << file << ": " << counted(counts.values, "value") << " of " << counted(counts.trials, "trial") << ", "
            << (std::ssize(tidy.studies) == 1 ? "1 study" : std::to_string(tidy.studies.size()) + " studies") << "\n";
  return 0;
}

}  // namespace

Command export_command() {
  return {.name = "export",
          .group = "keep",
          .purpose = "write every stored value to one CSV file, or a trace for another viewer",
          .examples = {"retrial export quickstart.db -o runs.csv",
                       "retrial export quickstart.db --metric accuracy -o accuracy.csv",
                       "retrial export quickstart.db -o - | head", "retrial export run.rtrace --to chrome -o run.json"},
          .arguments = "[STORE|TRACE]",
          .options = {{.name = "output",
                       .letter = 'o',
                       .value_name = "FILE",
                       .meaning = "file to write (default, and -: standard output)"},
                      {.name = "metric", .value_name = "NAME", .meaning = "only this metric (default: all)"},
                      {.name = "study",
                       .value_name = "NAME",
                       .meaning = "only this study, by name or digest (default: every study of the store)"},
                      {.name = "raw",
                       .meaning = "leave names as they are (default: an apostrophe is put before a name that a "
                                  "spreadsheet would read as a formula)"},
                      {.name = "to",
                       .value_name = "FORMAT",
                       .meaning = "write a trace instead, for chrome://tracing or ui.perfetto.dev",
                       .choices = {"chrome", "perfetto"}},
                      {.name = "salvage", .meaning = "with --to: what a damaged .rtrace file still holds"},
                      {.name = "force", .meaning = "replace an existing file"}},
          .run = run_export};
}

}  // namespace retrial::harness::inline commands
