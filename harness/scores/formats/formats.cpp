#include "harness/scores/formats/formats.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "harness/scores/lines/row_places.hpp"
#include "harness/scores/lines/score_lines.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/sample.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

namespace fs = std::filesystem;

bool is_json(std::string_view head) {
  const auto first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

bool has(std::string_view head, std::string_view word) {
  return head.find(word) != std::string_view::npos;
}

/// A CSV whose first line names the columns variant and score.
bool is_long_csv(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const std::string line = "," + std::string(head.substr(0, head.find_first_of("\r\n"))) + ",";
  std::string plain;
  std::copy_if(line.begin(), line.end(), std::back_inserter(plain), [](char c) { return c != ' ' && c != '"'; });
  std::ranges::replace_if(
      plain, [](char c) { return c == ';' || c == '\t'; }, ',');
  return plain.find(",variant,") != std::string::npos && plain.find(",score,") != std::string::npos;
}

constexpr ScoreFormat formats[] = {
    {"long-csv", "variant,pair,cluster,task,metric,score", is_long_csv, read_long_csv},
    {"npy", "NumPy matrix of runs x tasks, one variant per file, as rliable uses",
     [](std::string_view head) { return head.starts_with("\x93NUMPY"); }, read_npy_matrix},
    {"google-benchmark", "JSON of Google Benchmark, one process per file",
     [](std::string_view head) { return is_json(head) && has(head, "\"context\"") && has(head, "\"benchmarks\""); },
     read_google_benchmark},
    {"pytest-benchmark", "JSON of pytest --benchmark-json, one process per file",
     [](std::string_view head) { return is_json(head) && has(head, "\"machine_info\"") && !has(head, "\"context\""); },
     read_pytest_benchmark},
    {"criterion", "lines of cargo criterion --message-format=json, one process per file",
     [](std::string_view head) { return is_json(head) && has(head, "\"benchmark-complete\""); }, read_criterion},
    {"asv", "result file of asv, one run of one commit per file",
     [](std::string_view head) {
       return is_json(head) && has(head, "\"result_columns\"") && has(head, "\"env_name\"");
     },
     read_asv},
    {"hyperfine", "JSON of hyperfine --export-json",
     [](std::string_view head) { return is_json(head) && has(head, "\"results\""); }, read_hyperfine},
    {"mllog", "MLPerf log, one or more training runs per file",
     [](std::string_view head) { return has(head, ":::MLLOG "); }, read_mllog},
    {"csv", "one column per variant and one line per pair, or columns group,score",
     [](std::string_view head) { return !is_json(head); }, read_wide_csv},
};

bool is_csv(const ScoreFormat& format) {
  return format.name == "csv" || format.name == "long-csv";
}

[[noreturn]] void refuse_roles(const ScoreInput& input, const ScoreFormat& format) {
  throw Error({.code = "scores.columns",
               .where = input.path.string(),
               .field = "--columns",
               .value = input.roles.text(),
               .problem = "applies only to CSV, and the file is " + std::string(format.name),
               .help = "leave --columns out: the format says which score is which"});
}

/// A file that is no table of scores.
struct OtherFile {
  bool (*is)(std::string_view head);
  const char* problem;
  const char* help;
};

constexpr OtherFile other_files[] = {
    {[](std::string_view head) {
       return is_json(head) && has(head, "\"steps\"") && has(head, "\"timestamps\"") && has(head, "\"values\"");
     },
     "metrics.json of sacred: the curves of one run, not scores of runs",
     "write one line per run, variant,pair,score, with the last value of its metric"},
    {[](std::string_view head) {
       return is_json(head) && has(head, "\"heartbeat\"") && has(head, "\"experiment\"") && has(head, "\"meta\"");
     },
     "run.json of sacred: one run, not scores of runs",
     "write one line per run, variant,pair,score, with the results of all run.json"},
    {[](std::string_view head) { return head.starts_with("PK\x03\x04"); },
     "a zip archive, perhaps an npz file of NumPy", "save each matrix alone: np.save(\"dqn.npy\", scores[\"dqn\"])"},
    {[](std::string_view head) { return head.starts_with("\x1f\x8b"); }, "compressed with gzip",
     "unpack it first: gunzip -k FILE, or zcat FILE | retrial compare --scores - ..."},
    {[](std::string_view head) { return head.starts_with(":W&B"); }, "the log of one run of W&B",
     "wandb sync it, then export the table of runs as CSV"},
};

void refuse_other_files(const ScoreInput& input, std::string_view head) {
  for (const OtherFile& file : other_files)
    if (file.is(head))
      throw Error({.code = "scores.format", .where = input.path.string(), .problem = file.problem, .help = file.help});
}

/// Pairs only: runs without a number cannot be told apart.
void refuse_duplicates(const ScoreTable& table) {
  RowPlaces places(table, RowPlaces::Pair::number, table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const ScoreRow& row = table.rows[i];
    if (row.pair && places.before(i))
      throw Error({.code = "scores.duplicate",
                   .where = table.name,
                   .field = "pair",
                   .value = std::to_string(*row.pair),
                   .problem = "is given twice for variant " + results::one_line(row.variant.text(), 100) +
                              (row.task.empty() ? "" : ", task " + results::one_line(row.task.text(), 100))});
  }
}

/// By metric, sorted by name.
std::map<std::string, double> largest_sizes(const ScoreTable& table) {
  std::unordered_map<const std::string*, double> sizes;
  for (const ScoreRow& row : table.rows)
    if (row.score) {
      double& size = sizes[&row.metric.text()];
      size = std::max(size, std::fabs(*row.score));
    }
  std::map<std::string, double> out;
  for (const auto& [metric, size] : sizes) out[*metric] = size;
  return out;
}

/// Checks that scores are in the range that can be computed with (variance/samples/sample.hpp), metric by metric.
void require_judgeable_rows(const ScoreTable& table) {
  for (const std::string& name : table.variants()) require_plain_name({.path = table.name, .field = "variant"}, name);
  for (const std::string& name : table.tasks()) require_plain_name({.path = table.name, .field = "task"}, name);
  for (const std::string& name : table.metric_names())
    require_plain_name({.path = table.name, .field = "metric"}, name);
  for (const ScoreRow& row : table.rows)
    if (row.score && std::fabs(*row.score) > variance::largest_size)
      require_size({.path = table.name, .field = row.variant}, *row.score);
  for (const auto& [metric, size] : largest_sizes(table))
    require_judgeable(table.name, metric.empty() ? "scores" : metric, size);
}

ScoreInput score_input(const std::string& text, std::size_t number) {
  const auto equals = text.find('=');
  std::error_code ignored;
  ScoreInput out{.path = text, .number = number};
  if (equals != std::string::npos && equals != 0 && !fs::exists(text, ignored)) {
    out.path = text.substr(equals + 1);
    out.variant = text.substr(0, equals);
  }
  out.text = score_text(out.path);
  return out;
}

}  // namespace

std::vector<std::string> score_format_names() {
  std::vector<std::string> names;
  for (const ScoreFormat& format : formats) names.emplace_back(format.name);
  return names;
}

const ScoreFormat& score_format_of(const ScoreInput& input, const std::optional<std::string>& name) {
  constexpr std::size_t bytes = std::size_t{1} << 16;
  const std::string_view head = std::string_view(input.text).substr(0, bytes);
  if (!name) refuse_other_files(input, head);
  for (const ScoreFormat& format : formats) {
    // "csv" covers both forms, like the file extension.
    const bool selected = !name || *name == format.name || (*name == "csv" && format.name == "long-csv");
    if (selected && (format.fits(head) || name == std::string(format.name))) return format;
  }
  throw Error(
      {.code = "scores.format",
       .where = input.path.string(),
       .problem = "unknown format",
       .allowed = results::joined(score_format_names()),
       .help = "select one with --format, or convert the scores to CSV with the columns variant,pair,task,score"});
}

std::vector<ScoreInput> score_inputs(std::span<const std::string> texts, const ColumnRoles& roles) {
  std::vector<ScoreInput> out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out.push_back(score_input(texts[i], i));
    out.back().roles = roles;
  }
  return out;
}

ScoreTable read_score_table(std::span<const ScoreInput> inputs, const std::optional<std::string>& format) {
  ScoreTable table;
  for (const ScoreInput& input : inputs) {
    table.name += (table.name.empty() ? "" : ", ") + input.path.string();
    const ScoreFormat& found = score_format_of(input, format);
    if (input.roles.empty()) {
      found.read(input, table);
      continue;
    }
    if (!is_csv(found)) refuse_roles(input, found);
    read_named_columns(input, table);
  }
  table.by_line = table.by_line && inputs.size() == 1;
  number_pair_labels(table);
  refuse_duplicates(table);
  require_judgeable_rows(table);
  return table;
}

}  // namespace retrial::harness::inline scores::inline formats
