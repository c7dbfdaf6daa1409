#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/lines/row_places.hpp"
#include "harness/scores/lines/score_lines.hpp"
#include "harness/scores/lines/separators.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

using Lines = data::TableLines;
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

std::size_t place_called(const ScoreInput& input, const data::TableLine& header, const char* role,
                         const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& field : header) names.emplace_back(field.text);
  const auto count = std::ranges::count(names, wanted);
  if (count != 1) {
    const auto near = results::nearest(wanted, names);
    refuse_score({.path = input.path,
                  .line = 1,
                  .field = role,
                  .value = wanted,
                  .problem = count == 0 ? "no column has this name" : "two columns have this name",
                  .allowed = results::one_line(results::joined(names), 300),
                  .help = near && count == 0 ? "did you mean " + *near + "?" : ""});
  }
  return static_cast<std::size_t>(std::ranges::find(names, wanted) - names.begin());
}

RolePlaces places_of_roles(const ScoreInput& input, const data::TableLine& header) {
  RolePlaces places;
  for (std::size_t role = 0; role < places.size(); ++role)
    if (const auto& wanted = input.roles.names[role])
      places[role] = place_called(input, header, score_columns[role], *wanted);
  const bool variant_per_column = !input.roles.more_scores.empty();
  if (places[variant_role] && input.variant)
    refuse_score({.path = input.path,
                  .field = "variant",
                  .value = *input.variant,
                  .problem = "is given twice: before the file, and as a column by --columns",
                  .help = "leave one of them out"});
  if (variant_per_column && places[variant_role])
    refuse_columns(input.roles.text(), "several columns of scores are a variant each, so no column names the variants",
                   "leave variant=... out, or name one column of scores");
  if (!places[variant_role] && !input.variant && !places[cluster_role] && !variant_per_column)
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
    const std::string name(lines[0][c].text);
    if (std::ranges::find(places, std::optional(c)) != places.end()) continue;
    if (std::ranges::find(input.roles.more_scores, name) != input.roles.more_scores.end()) continue;
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

/// Adds one run after the other, and refuses those that cannot be told apart.
struct Runs {
  const ScoreInput& input;
  const Lines& lines;
  ScoreTable& table;
  std::size_t columns;  ///< of scores
  std::size_t first = table.rows.size();
  RowPlaces places{table, RowPlaces::Pair::label, first + (lines.size() - 1) * columns};

  [[nodiscard]] Name variant_of(std::size_t column) const {
    const std::string name(lines[0][column].text);
    return table.called(input.variant ? *input.variant + "/" + name : name);
  }

  /// `holes`: a missing score is a hole of the table, and not a failed run with a line of its own.
  void add(ScoreRow row, std::size_t line, std::size_t column, bool holes) {
    const std::string_view text = lines[line][column].text;
    const auto mistake = [&](const std::string& field) {
      return ScoreMistake{.path = input.path, .line = line + 1, .field = field};
    };
    row.score = plain_score(text);
    if (!row.score) {
      ScoreMistake score = mistake(std::string(lines[0][column].text));
      if (!holes) score.help = "leave the score of a failed run empty";
      if (!is_missing(text))
        row.score = score_from(score, text);
      else if (holes)
        table.holes.push_back(hole_text(score, text));
    }
    if (row.variant.empty() && input.roles.names[variant_role]) {
      ScoreMistake variant = mistake(*input.roles.names[variant_role]);
      variant.problem = "the name of the variant is missing";
      refuse_score(variant);
    }
    if (sums_up_lines(row.task)) refuse_summary(mistake(input.roles.names[task_role].value_or("task")), row.task);
    table.add(row);
    if (!row.pair_label.empty()) require_new(row, line);
  }

 private:
  void require_new(const ScoreRow& row, std::size_t line) {
    const auto before = places.before(table.rows.size() - 1);
    if (!before && !sums_up_lines(row.pair_label)) return;
    ScoreMistake mistake{.path = input.path, .line = line + 1, .field = *input.roles.names[pair_role]};
    refuse_summary(mistake, row.pair_label);
    mistake.value = row.pair_label;
    mistake.problem = "a second score for this pair of variant " + results::one_line(row.variant.text(), 100) +
                      ", also in line " + std::to_string((*before - first) / columns + 2);
    mistake.help = "keep one line per run, or name the column that tells them apart: --columns task=COLUMN";
    refuse_score(mistake);
  }
};

/// The text as a pair number, also as pandas writes integers among missing values ("3.0").
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
  const auto add = [&](std::size_t role, const std::string& column) {
    std::string part = std::string(score_columns[role]) + "=" + column;
    if (part.find_first_of(",\"") != std::string::npos) {
      std::string quoted;
      for (const char c : part) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
      part = "\"" + quoted + "\"";
    }
    out += (out.empty() ? "" : ",") + part;
  };
  for (std::size_t role = 0; role < names.size(); ++role)
    if (names[role]) add(role, *names[role]);
  for (const std::string& column : more_scores) add(score_role, column);
  return out;
}

ColumnRoles roles_from(const std::string& text) {
  ColumnRoles roles;
  if (text.find_first_not_of(" ,") == std::string::npos || text.find_first_of("\r\n") != std::string::npos)
    refuse_columns(text, "names no column");
  const auto lines = data::table_lines("--columns", text, ',');
  for (const auto& part : lines.front()) {
    const auto equals = part.text.find('=');
    if (equals == std::string::npos) refuse_columns(std::string(part.text), "is not ROLE=COLUMN");
    const std::string role(part.text.substr(0, equals)), column(part.text.substr(equals + 1));
    const auto found = std::find(score_columns.begin(), score_columns.end(), role);
    if (found == score_columns.end()) {
      const auto near = results::nearest(role, std::vector<std::string>(score_columns.begin(), score_columns.end()));
      refuse_columns(role, "unknown role", near ? "did you mean " + *near + "?" : "");
    }
    if (column.empty()) refuse_columns(std::string(part.text), "the name of the column is missing");
    auto& name = roles.names[static_cast<std::size_t>(found - score_columns.begin())];
    if (name && role != score_columns[score_role])
      refuse_columns(std::string(part.text), "role " + role + " is given twice");
    if (name && (*name == column || std::ranges::find(roles.more_scores, column) != roles.more_scores.end()))
      refuse_columns(std::string(part.text), "role " + role + " is given twice for this column");
    if (name)
      roles.more_scores.push_back(column);
    else
      name = column;
  }
  if (!roles.names[score_role]) refuse_columns(text, "the role score is missing");
  return roles;
}

void read_named_columns(const ScoreInput& input, ScoreTable& table) {
  auto lines = score_lines(input.path, input.text);
  const auto places = places_of_roles(input, lines[0]);
  for (std::size_t i = 1; i < lines.size(); ++i) require_whole_line(input.path, lines, i + 1);
  check_left_out(input, lines, places, table);
  std::vector<std::size_t> scores{*places[score_role]};
  for (const std::string& name : input.roles.more_scores)
    scores.push_back(place_called(input, lines[0], score_columns[score_role], name));
  read_decimal_commas(input.path, input.text, scores, lines, table.notes);
  const bool variant_per_column = scores.size() > 1;
  Runs runs{input, lines, table, scores.size()};
  for (std::size_t i = 1; i < lines.size(); ++i)
    for (const std::size_t score : scores) {
      const auto name = [&](ScoreRole role) {
        return table.called(places[role] ? lines[i][*places[role]].text : std::string_view());
      };
      ScoreRow row{.variant = variant_per_column ? runs.variant_of(score)
                              : input.variant    ? table.called(*input.variant)
                                                 : name(variant_role),
                   .cluster = name(cluster_role),
                   .task = name(task_role),
                   .metric = name(metric_role),
                   .pair_label = name(pair_role)};
      if (variant_per_column && !places[pair_role]) row.pair = static_cast<std::int64_t>(i) - 1;
      runs.add(row, i, score, variant_per_column);
    }
  for (const std::string& metric : table.metric_names()) table.metrics[metric];
}

void number_pair_labels(ScoreTable& table) {
  std::unordered_map<const std::string*, std::int64_t> numbers;  // one text for each name
  for (const ScoreRow& row : table.rows)
    if (!row.pair_label.empty()) numbers.try_emplace(&row.pair_label.text(), 0);
  if (numbers.empty()) return;
  const bool integers =
      std::ranges::all_of(numbers, [](const auto& one) { return integer_label(*one.first).has_value(); });
  if (integers) {
    for (auto& [label, number] : numbers) number = *integer_label(*label);
  } else {
    std::vector<const std::string*> sorted;
    for (const auto& [label, number] : numbers) sorted.push_back(label);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return by_number_and_name(*a, *b); });
    for (std::size_t i = 0; i < sorted.size(); ++i) numbers[sorted[i]] = static_cast<std::int64_t>(i);
    table.notes.emplace_back("the names of the pairs are not numbers: pairs are numbered in the order of their names");
  }
  for (ScoreRow& row : table.rows)
    if (!row.pair_label.empty()) row.pair = numbers.at(&row.pair_label.text());
}

}  // namespace retrial::harness::inline scores::inline formats
