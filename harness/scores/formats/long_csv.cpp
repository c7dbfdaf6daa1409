#include <algorithm>
#include <map>
#include <tuple>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/formats/formats.hpp"
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
std::array<std::optional<std::size_t>, 6> places_of(const ScoreInput& input,
                                                    const std::vector<data::TableLine>& lines) {
  const data::TableLine& header = lines[0];
  std::array<std::optional<std::size_t>, 6> places;
  for (std::size_t c = 0; c < header.size(); ++c) {
    const std::string& name = header[c].text;
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

std::optional<std::int64_t> pair_of(const Place& place, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto number = results::parse_int(text);
  if (!number || *number < 0)
    refuse_score({.path = place.input.path,
                  .line = place.line,
                  .field = "pair",
                  .value = text,
                  .problem = "not an integer >= 0"});
  return number;
}

std::optional<double> score_of(const Place& place, const std::string& text) {
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
  std::map<std::tuple<std::string, std::int64_t, std::string, std::string, std::string>, std::size_t> seen;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Place place{input, i + 1};
    require_whole_line(input.path, lines, place.line);
    const auto field = [&](Column c) { return places[c] ? lines[i][*places[c]].text : std::string(); };
    ScoreRow row{.variant = input.variant.value_or(field(variant)),
                 .pair = pair_of(place, field(pair)),
                 .cluster = field(cluster),
                 .task = field(task),
                 .metric = field(metric),
                 .score = score_of(place, field(score))};
    refuse_summary({.path = place.input.path, .line = place.line, .field = "task"}, row.task);
    if (row.variant.empty() && places[variant])
      refuse_score(
          {.path = place.input.path, .line = place.line, .field = "variant", .problem = "the name is missing"});
    if (row.pair) {
      const auto [first, fresh] =
          seen.insert({{row.variant, *row.pair, row.cluster, row.task, row.metric}, place.line});
      if (!fresh)
        refuse_score({.path = place.input.path,
                      .line = place.line,
                      .field = "pair",
                      .value = std::to_string(*row.pair),
                      .problem = "duplicate run (variant, pair, cluster, task, metric): also in line " +
                                 std::to_string(first->second)});
    }
    table.metrics[row.metric];
    table.rows.push_back(std::move(row));
  }
}

}  // namespace retrial::harness::inline scores::inline formats
