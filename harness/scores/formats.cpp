#include "harness/scores/formats.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>

#include "results/error.hpp"
#include "results/text.hpp"

namespace retrial::harness {
namespace {

namespace fs = std::filesystem;

bool is_json(std::string_view head) {
  const auto first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

bool has(std::string_view head, std::string_view word) {
  return head.find(word) != std::string_view::npos;
}

constexpr ScoreFormat formats[] = {
    {"long-csv", "variant,pair,cluster,task,metric,score",
     [](const fs::path&, std::string_view head) { return is_long_csv(head); }, read_long_csv},
    {"npy", "a NumPy matrix of runs x tasks, one variant a file, as rliable takes them",
     [](const fs::path&, std::string_view head) { return head.starts_with("\x93NUMPY"); }, read_npy_matrix},
    {"google-benchmark", "JSON of Google Benchmark, one process a file",
     [](const fs::path&, std::string_view head) {
       return is_json(head) && has(head, "\"context\"") && has(head, "\"benchmarks\"");
     },
     read_google_benchmark},
    {"hyperfine", "JSON of hyperfine --export-json",
     [](const fs::path&, std::string_view head) { return is_json(head) && has(head, "\"results\""); }, read_hyperfine},
    {"mllog", "a log of MLPerf, one training or several a file",
     [](const fs::path&, std::string_view head) { return has(head, ":::MLLOG "); }, read_mllog},
    {"csv", "a column a variant and a line a pair, or group,score",
     [](const fs::path&, std::string_view head) { return !is_json(head); }, read_wide_csv},
};

const ScoreFormat& format_of(const fs::path& path, const std::optional<std::string>& name) {
  const std::string head = head_of(path);
  for (const ScoreFormat& format : formats) {
    // "csv" names both forms, as a file name does.
    const bool asked = !name || *name == format.name || (*name == "csv" && format.name == "long-csv");
    if (asked && (format.fits(path, head) || name == std::string(format.name))) return format;
  }
  throw Error({.code = "scores.format",
               .where = path.string(),
               .problem = "is of no known format",
               .allowed = results::joined(score_format_names()),
               .help = "name it with --format, or turn the scores into CSV: variant,pair,task,score"});
}

/// Of pairs only: runs without a number cannot be told from each other.
void refuse_duplicates(const ScoreTable& table) {
  std::map<std::tuple<std::string, std::int64_t, std::string, std::string, std::string>, int> seen;
  for (const ScoreRow& row : table.rows)
    if (row.pair && ++seen[{row.variant, *row.pair, row.cluster, row.task, row.metric}] > 1)
      throw Error({.code = "scores.duplicate",
                   .where = table.name,
                   .field = "pair",
                   .value = std::to_string(*row.pair),
                   .problem = "stands twice for variant " + results::one_line(row.variant, 100) +
                              (row.task.empty() ? "" : ", task " + results::one_line(row.task, 100))});
}

}  // namespace

std::span<const ScoreFormat> all_score_formats() {
  return formats;
}

std::vector<std::string> score_format_names() {
  std::vector<std::string> names;
  for (const ScoreFormat& format : formats) names.emplace_back(format.name);
  return names;
}

std::string head_of(const fs::path& path) {
  constexpr std::size_t bytes = std::size_t{1} << 16;
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path))
    throw Error({.exit = Exit::incomparable,
                 .code = "scores.missing",
                 .where = path.string(),
                 .problem = "no such file, or it cannot be read"});
  std::string head(bytes, '\0');
  in.read(head.data(), static_cast<std::streamsize>(bytes));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

bool is_long_csv(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const std::string line = "," + std::string(head.substr(0, head.find_first_of("\r\n"))) + ",";
  std::string plain;
  std::copy_if(line.begin(), line.end(), std::back_inserter(plain), [](char c) { return c != ' ' && c != '"'; });
  return plain.find(",variant,") != std::string::npos && plain.find(",score,") != std::string::npos;
}

ScoreInput score_input(const std::string& text, std::size_t number) {
  const auto equals = text.find('=');
  std::error_code ignored;
  if (equals == std::string::npos || equals == 0 || fs::exists(text, ignored)) return {.path = text, .number = number};
  return {.path = text.substr(equals + 1), .variant = text.substr(0, equals), .number = number};
}

ScoreTable read_score_table(std::span<const std::string> inputs, const std::optional<std::string>& format) {
  ScoreTable table;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ScoreInput input = score_input(inputs[i], i);
    table.name += (i > 0 ? ", " : "") + input.path.string();
    format_of(input.path, format).read(input, table);
  }
  refuse_duplicates(table);
  return table;
}

}  // namespace retrial::harness
