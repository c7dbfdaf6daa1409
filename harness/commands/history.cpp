#include <algorithm>
#include <filesystem>
#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/study_report/whole/formats.hpp"
#include "harness/text/output.hpp"
#include "harness/text/output_files.hpp"
#include "harness/text/section_text.hpp"
#include "harness/watch/history_page.hpp"
#include "harness/watch/watch_store.hpp"
#include "results/json/json.hpp"
#include "results/report/figures.hpp"
#include "results/report/page_limits.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline commands {
namespace {

struct ReadHistory {
  CommitHistory history;
  std::string source;
  std::vector<std::filesystem::path> files;
};

HistoryChoice chosen_series(const Arguments& arguments) {
  HistoryChoice out{.metrics = arguments.values("metric"), .workload = arguments.value("task")};
  if (const auto where = arguments.value("where")) out.where = FactFilter(*where, "--where");
  return out;
}

ReadHistory history_of_scores(const Arguments& arguments) {
  if (arguments.has("scores")) refuse_extra(arguments, 0, "history --scores FILE");
  const auto inputs =
      score_inputs(arguments.has("scores") ? arguments.values("scores") : arguments.positional, roles_given(arguments));
  const ScoreTable table = read_score_table(inputs, arguments.value("format"));
  ReadHistory out{.history = history_of(table, chosen_series(arguments), direction_given(arguments)),
                  .source = table.name,
                  .files = {}};
  for (const auto& input : inputs) out.files.push_back(input.path);
  if (out.history.series.empty())
    throw Error({.exit = Exit::incomparable, .code = "history.empty", .where = table.name, .problem = "has no value"});
  return out;
}

/// Arguments that are files and no stores are scores, as if --scores named them.
bool names_scores(const Arguments& arguments) {
  const auto is_scores = [](const std::string& word) {
    const auto equals = word.find('=');
    const std::string file = std::filesystem::exists(word) || equals == word.npos ? word : word.substr(equals + 1);
    return std::filesystem::is_regular_file(file) && !is_store(file) && std::filesystem::file_size(file) > 0;
  };
  return !arguments.positional.empty() && std::ranges::all_of(arguments.positional, is_scores);
}

/// One store of a gate for each commit.
ReadHistory history_of_many(const Arguments& arguments) {
  ReadHistory out;
  for (const std::string& word : arguments.positional) {
    out.files.push_back(existing_store(word));
    out.source += (out.source.empty() ? "" : ", ") + out.files.back().filename().string();
  }
  out.history = history_of_stores(out.files, chosen_series(arguments));
  if (out.history.series.empty())
    throw Error({.exit = Exit::incomparable,
                 .code = "history.empty",
                 .where = out.source,
                 .problem = "hold no trials of a gate"});
  return out;
}

ReadHistory history_of_store(const Arguments& arguments) {
  refuse_options(arguments, {"columns", "format", "higher", "lower"}, {.problem = "needs --scores"});
  if (arguments.positional.size() > 1) return history_of_many(arguments);
  const StoreChoice choice = store_choice(arguments, {.usage = "history [STORE]"});
  const results::Store store = open_for_reading(choice.path);
  const auto states = watch_states(store);
  if (states.empty())
    throw Error(
        {.exit = Exit::incomparable,
         .code = "history.no_watch",
         .where = choice.path.string(),
         .problem = "watches no history",
         .help = "retrial gate --kind paired_sign --history " + shell_word(choice.path.string()) +
                 " ... adds a commit; several stores of a gate are a history, too, and so is --scores FILE.csv"});
  return {.history = history_of(states, chosen_series(arguments)),
          .source = choice.path.filename().string(),
          .files = {choice.path, choice.path.string() + "-wal", choice.path.string() + "-shm"}};
}

std::string rendered(const ReadHistory& read, const ReportFormat& format) {
  report::Report report = history_report(read.history, read.source);
  if (!format.draws) return format.render(report);
  report::draw_figures(report);
  return report::limited_html(report);
}

int run_history(const Arguments& arguments) {
  const auto file = arguments.value("output");
  if (file)
    refuse_options(arguments, {"json"}, {.problem = "is for standard output; -o FILE.json writes the document"});
  const ReportFormat& format = chosen_format({}, file);
  const bool scores = arguments.has("scores") || names_scores(arguments);
  const ReadHistory read = scores ? history_of_scores(arguments) : history_of_store(arguments);
  if (file && *file != "-") {
    demand_separate({{"-o", *file}}, read.files);
    write_output(*file, rendered(read, format));
    return 0;
  }
  if (arguments.has("json")) {
    print_json(history_document(read.history));
    return 0;
  }
  std::vector<report::Section> sections{history_section(read.history)};
  for (std::size_t i = 0; i < read.history.series.size(); ++i)
    sections.push_back(series_section(read.history.series[i], i + 1, false));
  std::cout << sections_text(sections, {});
  return 0;
}

}  // namespace

Command history_command() {
  return {
      .name = "history",
      .group = "guard",
      .purpose = "show a history commit by commit: values, steps that stand out, alarms of its watch",
      .examples = {"retrial history watch.db", "retrial history watch.db -o history.html",
                   "retrial history v1.0.db v1.1.db main.db --metric instructions",
                   "retrial history watch.db --where 'benchmark ~ sort and cpu_model ~ Xeon'",
                   "retrial history --scores nightly.csv --columns variant=commit,score=time --lower"},
      .arguments = "[STORE... | FILE...]",
      .options =
          {{.name = "scores",
            .value_name = "FILE",
            .meaning = "instead of a store: a file whose variants are the commits, in their order, or one "
                       "file per commit (FILE or COMMIT=FILE)",
            .repeats = true},
           score_file_options()[0],
           score_file_options()[1],
           {.name = "metric", .value_name = "NAME", .meaning = "only this metric (default: all)", .repeats = true},
           {.name = "task", .value_name = "NAME", .meaning = "only this benchmark (default: all)"},
           {.name = "where",
            .value_name = "EXPR",
            .meaning = "only values that fit: KEY OP VALUE joined by and. Keys are commit, benchmark, metric and "
                       "the facts of the machine (cpu_model, kernel, ...); OP is = != < <= > >=, or ~ for contains"},
           {.name = "higher", .meaning = "higher scores are better, where the file does not say"},
           {.name = "lower", .meaning = "lower scores are better, where the file does not say"},
           {.name = "output",
            .letter = 'o',
            .value_name = "FILE",
            .meaning = "write a report: .html with a figure for each series, .md, .json or .txt"},
           {.name = "json", .meaning = "one JSON document (schema retrial.history/1)"}},
      .run = run_history};
}

}  // namespace retrial::harness::inline commands
