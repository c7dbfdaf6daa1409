#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/lines/score_lines.hpp"
#include "harness/scores/lines/separators.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

using Lines = data::TableLines;

/// Columns with these names label the lines, even if every field is a number.
bool is_label(const std::string& name) {
  static const std::set<std::string> names{"dataset", "data set", "data_set", "ds",   "task",  "seed",      "run",
                                           "run_id",  "id",       "fold",     "pair", "index", "unnamed: 0"};
  return names.contains(lower_case(name));
}

/// Whole numbers that grow by one from line to line, four or more: 1, 2, 3, 4.
bool counts_lines(const Lines& lines, std::size_t place) {
  if (lines.size() < 5) return false;
  std::optional<double> before;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto now = results::parse_double(lines[i][place].text);
    if (!now || *now != std::floor(*now) || (before && *now != *before + 1)) return false;
    before = now;
  }
  return true;
}

std::size_t lines_with(const Lines& lines, std::size_t place, bool (*fits)(std::string_view)) {
  return static_cast<std::size_t>(
      std::count_if(lines.begin() + 1, lines.end(), [&](const auto& line) { return fits(line[place].text); }));
}

bool has_fraction(std::string_view text) {
  return text.find('.') != std::string::npos || has_decimal_comma(text);
}

/// The only column of several that counts the lines is their number under some name.
bool numbers_lines(const Lines& lines, std::size_t place) {
  if (lines[0].size() < 3 || !counts_lines(lines, place)) return false;
  for (std::size_t c = 0; c < lines[0].size(); ++c)
    if (c != place && counts_lines(lines, c)) return false;
  return true;
}

bool is_whole(std::string_view text) {
  const auto digits = text.find_first_not_of("+-");
  return digits != std::string::npos && text.find_first_not_of("0123456789", digits) == std::string::npos;
}

std::optional<double> number_of_field(std::string_view field) {
  if (field.find(',') == std::string_view::npos) return results::parse_double(field);
  std::string text(field);
  std::ranges::replace(text, ',', '.');
  return results::parse_double(text);
}

/// Few whole numbers, several times each, all above or all below the numbers of another column, most of which have
/// fractions: a key (64, 128) or a count next to scores. The name of that other column, if there is one.
std::optional<std::string> fractions_beside(const Lines& lines, std::size_t place, std::size_t first) {
  const auto scores = lines.size() - 1;
  if (lines_with(lines, place, is_whole) != scores) return std::nullopt;
  const auto numbers = [&](std::size_t column) {  // different ones, sorted
    std::vector<double> out;
    for (std::size_t i = 1; i < lines.size(); ++i)
      if (const auto number = number_of_field(lines[i][column].text)) out.push_back(*number);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  };
  const auto own = numbers(place);
  if (own.size() < 2 || 2 * own.size() > scores) return std::nullopt;
  for (std::size_t c = first; c < lines[0].size(); ++c) {
    if (2 * lines_with(lines, c, has_fraction) <= scores) continue;
    const auto other = numbers(c);
    if (!other.empty() && (own.front() > other.back() || own.back() < other.front()))
      return std::string(lines[0][c].text);
  }
  return std::nullopt;
}

/// Reason that this column is no variant; empty where it may be one.
std::string doubt(const Lines& lines, std::size_t place, std::size_t first) {
  if (lines.size() > 2 && holds_words(lines, place)) return "is text, so it is not the scores of a variant";
  if (names_no_variant(std::string(lines[0][place].text))) return "is not a variant, by its name";
  if (numbers_lines(lines, place)) return "counts the lines, so it is not the scores of a variant";
  if (const auto other = fractions_beside(lines, place, first))
    return "holds whole numbers and column " + results::one_line(*other, 100) +
           " fractions: it may be a key or a count, and not the scores of a variant";
  return "";
}

/// seed1, seed2: the columns from `first` are runs, steps or parts of the data under one word, numbered.
bool are_numbered_lines(const data::TableLine& header, std::size_t first) {
  std::set<std::string> words;
  for (std::size_t c = first; c < header.size(); ++c) {
    const std::string name(header[c].text);
    const auto end = name.find_last_not_of("0123456789");
    if (end == std::string::npos || end + 1 == name.size()) return false;
    words.insert(name.substr(0, end + 1));
  }
  return words.size() == 1 && header.size() > first + 1 && (names_line(*words.begin()) || names_time(*words.begin()));
}

ColumnRoles a_variant_per_column(const data::TableLine& header, std::size_t first) {
  ColumnRoles roles;
  roles.names[score_role] = std::string(header[first].text);
  for (std::size_t c = first + 1; c < header.size(); ++c) roles.more_scores.emplace_back(header[c].text);
  return roles;
}

bool are_numbers(const data::TableLine& header, std::size_t first) {
  return std::all_of(header.begin() + first, header.end(),
                     [](const auto& field) { return results::parse_double(field.text).has_value(); });
}

}  // namespace

bool has_labels(const Lines& lines) {
  if (lines[0].size() < 3) return false;
  const std::string name(lines[0][0].text);
  // pandas writes its index without a name.
  if (name.empty() || is_label(name)) return true;
  return std::none_of(lines.begin() + 1, lines.end(), [](const auto& line) { return meant_as_score(line[0].text); });
}

void require_variants(const ScoreInput& input, const Lines& lines) {
  const bool labels = has_labels(lines);
  const std::size_t first = labels ? 1 : 0;
  const auto refuse = [&](std::size_t place, const std::string& problem, const std::string& help) {
    refuse_score({.path = input.path,
                  .line = 1,
                  .field = "column",
                  .value = std::string(lines[0][place].text),
                  .problem = problem,
                  .help = help});
  };
  std::unordered_set<std::string_view> names;
  for (std::size_t c = first; c < lines[0].size(); ++c)
    if (const auto name = lines[0][c].text; !name.empty() && !names.insert(name).second)
      refuse(c, "two columns have this name",
             "rename one; of names in several lines, as pandas writes columns with levels, keep one level: "
             "frame[\"acc\"].to_csv(FILE)");
  if (labels && are_numbers(lines[0], first) && holds_words(lines, 0))
    refuse(
        0, "labels the lines, and the names of the other columns are numbers: each line may be a variant",
        "transpose the table, for example frame.T.to_csv(FILE) in pandas; if the first line has scores, too, write a "
        "line of names above it: variant,pair,score");
  const std::string name(lines[0][0].text);
  const bool words = labels && holds_words(lines, 0);
  if (words && names_variants(name) && !repeats(lines, 0)) {
    // W&B names runs, and another column says who is compared.
    if (const auto help = run_per_line_help(input, lines); !help.empty())
      refuse(0, "names the runs, so the other columns are not variants", help);
    refuse(0, "names the variants, so the other columns are not variants",
           "each variant has one line: give one line per run, or, if the other columns are runs or tasks, transpose "
           "the table: frame.T.to_csv(FILE) in pandas");
  }
  if (are_numbered_lines(lines[0], first))
    refuse(first, "and the columns after it are numbered like runs, so that each line may be a variant",
           "transpose the table, for example frame.T.to_csv(FILE) in pandas; if each column is a variant: --columns " +
               shell_word(a_variant_per_column(lines[0], first).text()));
  for (std::size_t c = first; c < lines[0].size(); ++c)
    if (const std::string why = doubt(lines, c, first); !why.empty()) refuse(c, why, columns_help(input, lines, c));
  if (!labels) return;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (sums_up_lines(std::string(lines[i][0].text)))
      refuse_summary({.path = input.path, .line = i + 1, .field = name.empty() ? "first column" : name},
                     std::string(lines[i][0].text));
  if (words && names_variants(name))
    refuse(0, "names the variants, so the other columns are not variants", columns_help(input, lines, 0));
  if ((words || !name.empty()) && repeats(lines, 0))
    refuse(0,
           std::string("holds the same ") + (words ? "text" : "number") + " in several lines, so " +
               (words ? "it may name the variants" : "a line may be there twice"),
           columns_help(input, lines, 0));
}

}  // namespace retrial::harness::inline scores::inline formats
