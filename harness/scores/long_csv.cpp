#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#include "harness/scores/formats.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "workloads/data/table_lines.hpp"

namespace retrial::harness {
namespace {

constexpr std::array<const char*, 6> column_names{"variant", "pair", "cluster", "task", "metric", "score"};
enum Column { variant, pair, cluster, task, metric, score };

struct Place {
  const ScoreInput& input;
  std::size_t line;
};

[[noreturn]] void refuse(const Place& place, const std::string& column, const std::string& value,
                         const std::string& problem, const std::string& allowed = "", const std::string& help = "") {
  throw Error({.code = "scores.syntax",
               .where = place.input.path.string() + ":" + std::to_string(place.line),
               .field = column,
               .value = results::one_line(value, 100),
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

std::vector<std::string> known_columns() {
  return {column_names.begin(), column_names.end()};
}

/// Where each known column stands in the file. Any order; variant and score must be there.
std::array<std::optional<std::size_t>, 6> places_of(const ScoreInput& input, const data::TableLine& header) {
  std::array<std::optional<std::size_t>, 6> places;
  for (std::size_t c = 0; c < header.size(); ++c) {
    const std::string& name = header[c].text;
    const auto found = std::find(column_names.begin(), column_names.end(), name);
    if (found == column_names.end()) {
      const auto near = results::nearest(name, known_columns());
      refuse({input, 1}, "column", name, "unknown", results::joined(known_columns()),
             near ? "did you mean " + *near + "?" : "");
    }
    auto& place = places[static_cast<std::size_t>(found - column_names.begin())];
    if (place) refuse({input, 1}, "column", name, "two have this name");
    place = c;
  }
  for (const Column needed : {variant, score})
    if (!places[needed]) refuse({input, 1}, "column", column_names[needed], "is missing");
  return places;
}

std::optional<std::int64_t> pair_of(const Place& place, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto number = results::parse_int(text);
  if (!number || *number < 0) refuse(place, "pair", text, "not a whole number from 0");
  return number;
}

std::optional<double> score_of(const Place& place, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto number = results::parse_double(text);
  if (!number) refuse(place, "score", text, "not a finite number", "", "an empty score says that the run failed");
  return number;
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

void read_long_csv(const ScoreInput& input, ScoreTable& table) {
  const auto lines = data::table_lines(input.path, text_of_file(input.path), ',');
  const auto places = places_of(input, lines.at(0));
  if (lines.size() < 2) refuse({input, 1}, "", "", "no line of scores follows the header");
  std::map<std::tuple<std::string, std::int64_t, std::string, std::string, std::string>, std::size_t> seen;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Place place{input, i + 1};
    if (lines[i].size() != lines[0].size())
      refuse(place, "", "",
             std::to_string(lines[i].size()) + " fields, the header has " + std::to_string(lines[0].size()));
    const auto field = [&](Column c) { return places[c] ? lines[i][*places[c]].text : std::string(); };
    ScoreRow row{.variant = input.variant.value_or(field(variant)),
                 .pair = pair_of(place, field(pair)),
                 .cluster = field(cluster),
                 .task = field(task),
                 .metric = field(metric),
                 .score = score_of(place, field(score))};
    if (row.variant.empty()) refuse(place, "variant", "", "the name is missing");
    if (row.pair) {
      const auto [first, fresh] =
          seen.insert({{row.variant, *row.pair, row.cluster, row.task, row.metric}, place.line});
      if (!fresh)
        refuse(place, "pair", std::to_string(*row.pair),
               "the same run (variant, pair, cluster, task, metric) stands in line " + std::to_string(first->second));
    }
    table.metrics[row.metric];
    table.rows.push_back(std::move(row));
  }
}

}  // namespace retrial::harness
