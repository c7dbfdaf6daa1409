#include <algorithm>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/lines/row_places.hpp"
#include "harness/scores/lines/score_lines.hpp"
#include "harness/scores/lines/separators.hpp"
#include "results/text/text.hpp"
#include "workloads/data/formats/table_lines.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

enum Column { variant, pair, cluster, task, metric, score };

struct Place {
  const ScoreInput& input;
  std::size_t line;
};

std::vector<std::string> known_columns() {
  return {score_columns.begin(), score_columns.end()};
}

/// Place of each known column in the file, in any order; score is required, and variant or cluster.
std::array<std::optional<std::size_t>, 6> places_of(const ScoreInput& input, const data::TableLines& lines) {
  const data::TableLine header = lines[0];
  std::array<std::optional<std::size_t>, 6> places;
  for (std::size_t c = 0; c < header.size(); ++c) {
    const std::string name(header[c].text);
    // The index of pandas has no name, and gets this one when it is read and written again.
    if (c == 0 && header.size() > 1 && (name.empty() || name == "Unnamed: 0")) continue;
    const auto found = std::find(score_columns.begin(), score_columns.end(), name);
    if (found == score_columns.end()) {
      const auto near = results::nearest(name, known_columns());
      refuse_score({.path = input.path,
                    .line = 1,
                    .field = "column",
                    .value = name,
                    .problem = "unknown column",
                    .allowed = results::joined(known_columns()),
                    .help = near ? "did you mean " + *near + "?" : columns_help(input, lines)});
    }
    auto& place = places[static_cast<std::size_t>(found - score_columns.begin())];
    if (place)
      refuse_score(
          {.path = input.path, .line = 1, .field = "column", .value = name, .problem = "two columns have this name"});
    place = c;
  }
  for (const Column needed : {variant, score})
    if (!places[needed] && !(needed == variant && places[cluster]))
      refuse_score({.path = input.path,
                    .line = 1,
                    .field = "column",
                    .value = score_columns[needed],
                    .problem = "is missing",
                    .help = columns_help(input, lines)});
  return places;
}

std::optional<std::int64_t> pair_of(const Place& place, std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto number = results::parse_int(text);
  if (!number || *number < 0)
    refuse_score({.path = place.input.path,
                  .line = place.line,
                  .field = "pair",
                  .value = std::string(text),
                  .problem = "not an integer >= 0"});
  return number;
}

std::optional<double> score_of(const Place& place, std::string_view text) {
  if (const auto score = plain_score(text)) return score;
  if (is_missing(text)) return std::nullopt;
  return score_from(
      {.path = place.input.path, .line = place.line, .field = "score", .help = "leave the score of a failed run empty"},
      text);
}

}  // namespace

void read_long_csv(const ScoreInput& input, ScoreTable& table) {
  auto lines = separated_lines(input.path, input.text);
  if (lines.size() < 2) refuse_score({.path = input.path, .line = 1, .problem = "no scores follow the header"});
  const auto places = places_of(input, lines);
  read_decimal_commas(input.path, input.text, std::array{*places[score]}, lines, table.notes);
  const std::size_t first = table.rows.size();
  RowPlaces rows(table, RowPlaces::Pair::number, first + lines.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Place place{input, i + 1};
    require_whole_line(input.path, lines, place.line);
    const auto field = [&](Column c) { return places[c] ? lines[i][*places[c]].text : std::string_view(); };
    const auto name = [&](Column c) { return table.called(field(c)); };
    const ScoreRow row{.variant = input.variant ? table.called(*input.variant) : name(variant),
                       .pair = pair_of(place, field(pair)),
                       .cluster = name(cluster),
                       .task = name(task),
                       .metric = name(metric),
                       .score = score_of(place, field(score))};
    if (sums_up_lines(row.task))
      refuse_summary({.path = place.input.path, .line = place.line, .field = "task"}, row.task);
    if (row.variant.empty() && places[variant])
      refuse_score(
          {.path = place.input.path, .line = place.line, .field = "variant", .problem = "the name is missing"});
    table.add(row);
    if (!row.pair) continue;
    if (const auto before = rows.before(table.rows.size() - 1))
      refuse_score({.path = place.input.path,
                    .line = place.line,
                    .field = "pair",
                    .value = std::to_string(*row.pair),
                    .problem = "duplicate run (variant, pair, cluster, task, metric): also in line " +
                               std::to_string(*before - first + 2)});
  }
  for (const std::string& metric : table.metric_names()) table.metrics[metric];
}

}  // namespace retrial::harness::inline scores::inline formats
