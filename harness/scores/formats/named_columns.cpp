#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/formats/score_lines.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

using Lines = std::vector<data::TableLine>;
using RolePlaces = std::array<std::optional<std::size_t>, score_columns.size()>;

[[noreturn]] void refuse_columns(const std::string& value, const std::string& problem, const std::string& help = "") {
  throw Error({.code = "scores.columns",
               .field = "--columns",
               .value = results::one_line(value, 100),
               .problem = problem,
               .allowed = "ROLE=COLUMN, roles " +
                          results::joined(std::vector<std::string>(score_columns.begin(), score_columns.end())),
               .help = help.empty() ? "for example --columns variant=model,pair=seed,score=acc" : help});
}

RolePlaces places_of_roles(const ScoreInput& input, const data::TableLine& header) {
  RolePlaces places;
  std::vector<std::string> names;
  for (const auto& field : header) names.push_back(field.text);
  for (std::size_t role = 0; role < places.size(); ++role) {
    const auto& wanted = input.roles.names[role];
    if (!wanted) continue;
    const auto count = std::ranges::count(names, *wanted);
    if (count != 1) {
      const auto near = results::nearest(*wanted, names);
      refuse_score({.path = input.path,
                    .line = 1,
                    .field = score_columns[role],
                    .value = *wanted,
                    .problem = count == 0 ? "no column has this name" : "two columns have this name",
                    .allowed = results::one_line(results::joined(names), 300),
                    .help = near && count == 0 ? "did you mean " + *near + "?" : ""});
    }
    places[role] = static_cast<std::size_t>(std::ranges::find(names, *wanted) - names.begin());
  }
  if (places[variant_role] && input.variant)
    refuse_score({.path = input.path,
                  .field = "variant",
                  .value = *input.variant,
                  .problem = "is given twice: before the file, and as a column by --columns",
                  .help = "leave one of them out"});
  if (!places[variant_role] && !input.variant && !places[cluster_role])
    refuse_score({.path = input.path,
                  .field = "variant",
                  .problem = "is missing: neither --columns nor the file's argument names it",
                  .help = "add variant=COLUMN to --columns, or write VARIANT=" + input.path.string()});
  return places;
}

/// Columns that are not read: noted, and refused where they show that several lines belong to one run.
void check_left_out(const ScoreInput& input, const Lines& lines, const RolePlaces& places, ScoreTable& table) {
  std::vector<std::string> left;
  for (std::size_t c = 0; c < lines[0].size(); ++c) {
    if (std::ranges::find(places, std::optional(c)) != places.end()) continue;
    const std::string& name = lines[0][c].text;
    if (!name.empty()) left.push_back(name);
    const bool varies =
        std::any_of(lines.begin() + 1, lines.end(), [&](const auto& line) { return line[c].text != lines[1][c].text; });
    if (varies && !places[pair_role] && names_time(name))
      refuse_score({.path = input.path,
                    .line = 1,
                    .field = "column",
                    .value = name,
                    .problem = "is not named by --columns and varies: its lines may be steps of one run, not runs",
                    .help = "keep one line per run, for example its last step, or remove the column"});
  }
  const std::string note =
      "columns that --columns does not name are not read: " + results::one_line(results::joined(left), 300);
  if (!left.empty() && std::ranges::find(table.notes, note) == table.notes.end()) table.notes.push_back(note);
}

/// The text as a pair number, also as pandas writes integers beside missing values ("3.0").
std::optional<std::int64_t> integer_label(const std::string& text) {
  constexpr double largest = 9007199254740992.0;  // 2^53
  if (const auto number = results::parse_int(text)) return *number >= 0 ? number : std::nullopt;
  const auto number = results::parse_double(text);
  if (!number || *number < 0 || *number >= largest || std::floor(*number) != *number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

}  // namespace

bool ColumnRoles::empty() const {
  return std::ranges::none_of(names, [](const auto& name) { return name.has_value(); });
}

std::string ColumnRoles::text() const {
  std::string out;
  for (std::size_t role = 0; role < names.size(); ++role) {
    if (!names[role]) continue;
    std::string part = std::string(score_columns[role]) + "=" + *names[role];
    if (part.find_first_of(",\"") != std::string::npos) {
      std::string quoted;
      for (const char c : part) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
      part = "\"" + quoted + "\"";
    }
    out += (out.empty() ? "" : ",") + part;
  }
  return out;
}

ColumnRoles roles_from(const std::string& text) {
  ColumnRoles roles;
  if (text.find_first_not_of(" ,") == std::string::npos || text.find_first_of("\r\n") != std::string::npos)
    refuse_columns(text, "names no column");
  const auto lines = data::table_lines("--columns", text, ',');
  for (const auto& part : lines.front()) {
    const auto equals = part.text.find('=');
    if (equals == std::string::npos) refuse_columns(part.text, "is not ROLE=COLUMN");
    const std::string role = part.text.substr(0, equals), column = part.text.substr(equals + 1);
    const auto found = std::find(score_columns.begin(), score_columns.end(), role);
    if (found == score_columns.end()) {
      const auto near = results::nearest(role, std::vector<std::string>(score_columns.begin(), score_columns.end()));
      refuse_columns(role, "unknown role", near ? "did you mean " + *near + "?" : "");
    }
    if (column.empty()) refuse_columns(part.text, "the name of the column is missing");
    auto& name = roles.names[static_cast<std::size_t>(found - score_columns.begin())];
    if (name) refuse_columns(part.text, "role " + role + " is given twice");
    name = column;
  }
  if (!roles.names[score_role]) refuse_columns(text, "the role score is missing");
  return roles;
}

void read_named_columns(const ScoreInput& input, ScoreTable& table) {
  const auto lines = score_lines(input.path, input.text);
  const auto places = places_of_roles(input, lines[0]);
  for (std::size_t i = 1; i < lines.size(); ++i) require_whole_line(input.path, lines, i + 1);
  check_left_out(input, lines, places, table);
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, std::size_t> seen;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto field = [&](ScoreRole role) { return places[role] ? lines[i][*places[role]].text : std::string(); };
    ScoreRow row{.variant = input.variant.value_or(field(variant_role)),
                 .cluster = field(cluster_role),
                 .task = field(task_role),
                 .metric = field(metric_role),
                 .pair_label = field(pair_role)};
    const ScoreMistake score{.path = input.path,
                             .line = i + 1,
                             .field = *input.roles.names[score_role],
                             .help = "leave the score of a failed run empty"};
    if (!field(score_role).empty()) row.score = score_from(score, field(score_role));
    if (row.variant.empty() && places[variant_role])
      refuse_score({.path = input.path,
                    .line = i + 1,
                    .field = *input.roles.names[variant_role],
                    .problem = "the name of the variant is missing"});
    if (!row.pair_label.empty()) {
      const auto [first, fresh] =
          seen.insert({{row.variant, row.pair_label, row.cluster, row.task, row.metric}, i + 1});
      if (!fresh)
        refuse_score(
            {.path = input.path,
             .line = i + 1,
             .field = *input.roles.names[pair_role],
             .value = row.pair_label,
             .problem = "a second score for this pair of variant " + results::one_line(row.variant, 100) +
                        ", also in line " + std::to_string(first->second),
             .help = "keep one line per run, or name the column that tells them apart: --columns task=COLUMN"});
    }
    table.metrics[row.metric];
    table.rows.push_back(std::move(row));
  }
}

void number_pair_labels(ScoreTable& table) {
  std::set<std::string> labels;
  for (const ScoreRow& row : table.rows)
    if (!row.pair_label.empty()) labels.insert(row.pair_label);
  if (labels.empty()) return;
  std::map<std::string, std::int64_t> numbers;
  const bool integers = std::ranges::all_of(labels, [](const auto& label) { return integer_label(label).has_value(); });
  if (integers) {
    for (const std::string& label : labels) numbers[label] = *integer_label(label);
  } else {
    std::vector<std::string> sorted(labels.begin(), labels.end());
    std::sort(sorted.begin(), sorted.end(), by_number_and_name);
    for (std::size_t i = 0; i < sorted.size(); ++i) numbers[sorted[i]] = static_cast<std::int64_t>(i);
    table.notes.emplace_back("the names of the pairs are not numbers: pairs are numbered in the order of their names");
  }
  for (ScoreRow& row : table.rows)
    if (!row.pair_label.empty()) row.pair = numbers.at(row.pair_label);
}

}  // namespace retrial::harness::inline scores::inline formats
