#include <algorithm>
#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/lines/score_table.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/output.hpp"
#include "harness/text/output_files.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline commands {
namespace {

std::vector<std::filesystem::path> files_of(const std::vector<ScoreInput>& inputs) {
  std::vector<std::filesystem::path> out;
  for (const auto& input : inputs) out.push_back(input.path);
  return out;
}

/// The options that compare needs and the columns of the CSV do not give.
std::vector<std::string> next_steps(const ScoreTable& table, const std::string& file) {
  const auto metrics = table.metric_names();
  const auto& facts = table.metrics.find(metrics.front())->second;
  const std::string way = facts.direction == variance::Direction::higher  ? " --higher"
                          : facts.direction == variance::Direction::lower ? " --lower"
                                                                          : " --higher|--lower";
  const std::string metric = metrics.size() > 1 ? " --metric " + shell_word(metrics.front()) : "";
  const bool failed = std::ranges::any_of(table.rows, [](const ScoreRow& row) { return !row.score; });
  return {"next: retrial compare --scores " + shell_word(file) + metric + way +
          (failed ? " --failure drop|loss|refuse" : "")};
}

int run_import(const Arguments& arguments) {
  if (arguments.positional.empty())
    throw Error({.code = "usage.missing_argument",
                 .field = "FILE",
                 .problem = "missing",
                 .help = "usage: retrial import [VARIANT=]FILE... -o scores.csv"});
  const std::string file = arguments.value("output").value_or("-");
  auto inputs = score_inputs(arguments.positional, roles_given(arguments));
  if (file != "-") demand_separate({{"-o", file}}, files_of(inputs));
  ScoreTable table = read_score_table(inputs, arguments.value("format"));
  for (ScoreInput& input : inputs) std::string().swap(input.text);  // as large as the table that is written from it
  if (arguments.has("paired")) number_pairs(table);
  const std::string text = long_csv(table);
  for (const std::string& one : table.notes) note(one);
  if (!table.holes.empty())
    note(counted(std::ssize(table.holes), "missing score") +
         " written as failed runs: " + results::one_line(results::joined(table.holes), 300));
  if (file == "-") {
    std::cout << text;
    return 0;
  }
  write_new_output(file, text, arguments.has("force"));
  std::cout << file << ": " << counted(std::ssize(table.rows), "score") << " of "
            << counted(std::ssize(table.variants()), "variant") << ", " << counted(std::ssize(table.tasks()), "task")
            << ", " << counted(std::ssize(table.metric_names()), "metric") << "\n";
  for (const std::string& line : next_steps(table, file)) std::cout << line << "\n";
  return 0;
}

}  // namespace

Command import_command() {
  return {
      .name = "import",
      .group = "keep",
      .purpose = "convert the scores of other tools to one CSV file for compare --scores",
      .examples = {"retrial import old=old-1.json old=old-2.json new=new-1.json new=new-2.json -o times.csv",
                   "retrial import dqn.npy rainbow.npy -o atari.csv", "retrial import hyperfine.json -o times.csv"},
      .arguments = "[VARIANT=]FILE...",
      .options =
          {{.name = "output",
            .letter = 'o',
            .value_name = "FILE",
            .meaning = "file to write (default, and -: standard output)"},
           score_file_options()[0],
           score_file_options()[1],
           {.name = "paired",
            .meaning =
                "number the runs as pairs: run i of every variant shares its seeds, or was measured in the same round"},
           {.name = "force", .meaning = "replace an existing file"}},
      .run = run_import};
}

}  // namespace retrial::harness::inline commands
