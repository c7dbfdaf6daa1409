#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/lines/score_lines.hpp"
#include "harness/scores/lines/separators.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

using Lines = data::TableLines;

/// Columns or groups, in the order of the file; columns may end early.
struct Columns {
  std::vector<std::string> names;
  std::vector<std::vector<std::optional<double>>> scores;  ///< absent: a hole
};

bool grouped(const data::TableLine& header) {
  return header.size() == 2 && header[0].text == "group" && header[1].text == "score";
}

/// The score of a field; a missing one is noted as a hole. `field`: name of its column.
std::optional<double> score_or_hole(const ScoreInput& input, std::size_t line, const std::string& field,
                                    std::string_view text, ScoreTable& table) {
  if (const auto score = plain_score(text)) return score;
  const ScoreMistake place{.path = input.path, .line = line, .field = field};
  if (!is_missing(text)) return score_from(place, text);
  table.holes.push_back(hole_text(place, text));
  return std::nullopt;
}

Columns groups(const ScoreInput& input, Lines& lines, ScoreTable& table) {
  Columns out;
  std::unordered_map<std::string, std::size_t> places;
  read_decimal_commas(input.path, input.text, std::array{std::size_t{1}}, lines, table.notes);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != 2)
      refuse_score({.path = input.path, .line = i + 1, .problem = "needs two fields: a group and a score"});
    const std::string name(lines[i][0].text);
    if (name.empty())
      refuse_score({.path = input.path, .line = i + 1, .field = "group", .problem = "the name is missing"});
    const std::size_t place = places.try_emplace(name, out.names.size()).first->second;
    if (place == out.names.size()) {
      out.names.push_back(name);
      out.scores.emplace_back();
    }
    out.scores[place].push_back(score_or_hole(input, i + 1, name, lines[i][1].text, table));
  }
  return out;
}

/// Empty fields at the end of a column end it; a word for a missing score does not.
std::vector<std::optional<double>> column(const ScoreInput& input, const Lines& lines, std::size_t place,
                                          ScoreTable& table) {
  const std::string name(lines[0][place].text);
  auto end = lines.size();
  while (end > 1 && lines[end - 1][place].text.empty()) --end;
  std::vector<std::optional<double>> out;
  out.reserve(end - 1);
  for (std::size_t i = 1; i < end; ++i) out.push_back(score_or_hole(input, i + 1, name, lines[i][place].text, table));
  if (std::ranges::none_of(out, [](const auto& score) { return score.has_value(); }))
    refuse_score({.path = input.path, .field = name, .problem = "has no score in any line"});
  return out;
}

Columns columns(const ScoreInput& input, Lines& lines, ScoreTable& table) {
  for (std::size_t i = 1; i < lines.size(); ++i) require_whole_line(input.path, lines, i + 1);
  if (lines[0].size() == 1)
    refuse_score({.path = input.path,
                  .line = 1,
                  .value = std::string(lines[0][0].text),
                  .problem = "the file has one column",
                  .help = "separate columns by commas, semicolons or tabs: a column per variant (baseline,candidate), "
                          "or lines group,score"});
  require_variants(input, lines);
  std::vector<std::size_t> places;
  for (std::size_t c = has_labels(lines) ? 1 : 0; c < lines[0].size(); ++c) places.push_back(c);
  read_decimal_commas(input.path, input.text, places, lines, table.notes);
  Columns out;
  for (const std::size_t place : places) {
    out.names.emplace_back(lines[0][place].text);
    out.scores.push_back(column(input, lines, place, table));
  }
  return out;
}

void check_names(const ScoreInput& input, const std::vector<std::string>& names) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty()) refuse_score({.path = input.path, .line = 1, .problem = "a column has no name"});
    if (!seen.insert(name).second)
      refuse_score({.path = input.path, .line = 1, .field = name, .problem = "two columns have this name"});
    if (results::parse_double(name))
      refuse_score({.path = input.path,
                    .line = 1,
                    .value = name,
                    .problem = "expected a column name, found a number",
                    .help = "the first line must name the columns, for example baseline,candidate"});
  }
  if (names.size() < 2)
    refuse_score({.path = input.path,
                  .problem = "has only one variant, so there is nothing to compare it with",
                  .help = "use two columns (baseline,candidate), or lines group,score"});
}

}  // namespace

/// If at least two columns follow, a first column of words, or one called dataset, data set, ds, task, seed, run,
/// run_id, id, fold, pair or index, or without a name, labels the lines and is not a variant; words for missing scores
/// (nan, NA, inf) do not make it a label. Lines of columns are pairs, numbered from 0; lines of groups are independent
/// runs.
void read_wide_csv(const ScoreInput& input, ScoreTable& table) {
  auto lines = score_lines(input.path, input.text);
  const bool runs = grouped(lines[0]);
  const Columns found = runs ? groups(input, lines, table) : columns(input, lines, table);
  check_names(input, found.names);
  for (std::size_t v = 0; v < found.names.size(); ++v) {
    const Name variant = table.called(input.variant ? *input.variant + "/" + found.names[v] : found.names[v]);
    for (std::size_t i = 0; i < found.scores[v].size(); ++i)
      table.add({.variant = variant,
                 .pair = runs ? std::nullopt : std::optional(static_cast<std::int64_t>(i)),
                 .score = found.scores[v][i]});
  }
  table.metrics[""];
  table.by_line = !runs;
  if (runs) table.unpaired = "lines of group,score do not show which scores belong together";
}

}  // namespace retrial::harness::inline scores::inline formats
