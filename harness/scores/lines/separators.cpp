#include "harness/scores/lines/separators.hpp"

#include <algorithm>
#include <optional>

#include "harness/scores/lines/score_lines.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline lines {
namespace {

namespace fs = std::filesystem;
using Lines = data::TableLines;

struct Separator {
  char mark;
  const char* name;
};
constexpr Separator separators[] = {{',', "commas"}, {';', "semicolons"}, {'\t', "tabs"}};

/// The lines by this separator; nothing where it does not cut them, for example for a quote inside of a field.
std::optional<Lines> cut(const fs::path& path, std::string_view text, char mark) try {
  return data::table_lines(path, text, mark, max_score_fields);
} catch (const Error&) {
  return std::nullopt;
}

bool whole(const Lines& lines) {
  return std::ranges::all_of(lines, [&](const auto& line) { return line.size() == lines.front().size(); });
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  const auto end = text.find_first_not_of("0123456789", at);
  return std::min(end, text.size()) - at;
}

/// The comma inside of a number, if there is one.
enum class Comma { none, decimal, decimal_or_thousands };

Comma comma_in(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const auto before = digits_from(text, 0);
  if (before >= text.size() || text[before] != ',') return Comma::none;
  const auto after = digits_from(text, before + 1);
  const auto rest = text.substr(before + 1 + after);
  if (after == 0) return Comma::none;
  if (rest.empty()) {
    const bool thousands = after == 3 && before >= 1 && before <= 3 && text[0] != '0';
    return thousands ? Comma::decimal_or_thousands : Comma::decimal;
  }
  const bool exponent = results::parse_double("1" + std::string(rest)) && (rest[0] == 'e' || rest[0] == 'E');
  return exponent ? Comma::decimal : Comma::none;
}

/// Lines of the first comma and the first point of a column.
struct Marks {
  std::optional<std::size_t> comma, point;
  bool decimal = false;  ///< some comma cannot separate thousands
};

Marks marks_in(const Lines& lines, std::size_t column) {
  Marks marks;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() <= column) continue;
    const std::string_view text = lines[i][column].text;
    const Comma comma = comma_in(text);
    if (comma != Comma::none && !marks.comma) marks.comma = i;
    if (text.find('.') != std::string::npos && results::parse_double(text) && !marks.point) marks.point = i;
    marks.decimal = marks.decimal || comma == Comma::decimal;
  }
  return marks;
}

}  // namespace

char separator_of(const fs::path& path, std::string_view text) {
  const auto header = text.substr(0, text.find('\n'));
  std::vector<Separator> possible, fitting;
  std::string readings;
  for (const Separator& each : separators)
    if (const auto line = cut(path, header, each.mark); line && !line->empty() && line->front().size() > 1)
      possible.push_back(each);
  if (possible.size() < 2) return possible.empty() ? ',' : possible.front().mark;
  for (const Separator& each : possible) {
    const auto lines = cut(path, text, each.mark);
    if (!lines || !whole(*lines)) continue;
    fitting.push_back(each);
    readings += (readings.empty() ? "" : ", or ") + std::to_string(lines->front().size()) + " columns separated by " +
                each.name;
  }
  if (fitting.size() > 1)
    refuse_score({.path = path,
                  .line = 1,
                  .problem = "the file is a table in two ways: " + readings,
                  .help = "put the names that contain the other separator in double quotes"});
  return fitting.empty() ? possible.front().mark : fitting.front().mark;
}

namespace {

/// A spreadsheet ends lines with the separator where a column was cleared.
void drop_empty_end(Lines& lines) {
  const auto empty_at_end = [&](const auto& line) {
    return line.size() == lines.front().size() && line.size() > 1 && line.back().text.empty();
  };
  while (std::ranges::all_of(lines, empty_at_end)) lines.drop_last_column();
}

}  // namespace

Lines separated_lines(const fs::path& path, std::string_view text) {
  auto lines = data::table_lines(path, text, separator_of(path, text), max_score_fields);
  if (lines.empty()) return lines;
  drop_empty_end(lines);
  // np.savetxt writes its heading as a comment: "# base,kd".
  if (const auto name = lines[0][0].text; lines[0].size() > 1 && name.starts_with('#'))
    lines.replace(0, 0, name.substr(std::min(name.find_first_not_of("# "), name.size())));
  if (lines[0][0].text.starts_with("sep="))
    refuse_score({.path = path,
                  .line = 1,
                  .value = std::string(lines[0][0].text),
                  .problem = "a line for spreadsheets, before the header",
                  .help = "remove this line; separators are recognized"});
  return lines;
}

bool has_decimal_comma(std::string_view text) {
  return comma_in(text) != Comma::none;
}

void read_decimal_commas(const fs::path& path, std::string_view text, std::span<const std::size_t> columns,
                         Lines& lines, std::vector<std::string>& notes) {
  if (separator_of(path, text) == ',') return;
  bool decimal = false;
  std::optional<std::pair<std::size_t, std::size_t>> first;  // line and column of a comma
  for (const std::size_t column : columns) {
    const Marks marks = marks_in(lines, column);
    if (!marks.comma) continue;
    if (marks.point)
      refuse_score({.path = path,
                    .line = *marks.comma + 1,
                    .field = std::string(lines[0][column].text),
                    .value = std::string(lines[*marks.comma][column].text),
                    .problem = "a decimal comma, and line " + std::to_string(*marks.point + 1) +
                               " of this column has a decimal point: " + std::string(lines[*marks.point][column].text),
                    .help = "write all numbers of the file with the same mark"});
    decimal = decimal || marks.decimal;
    if (!first) first = {*marks.comma, column};
  }
  if (!first) return;
  const auto [line, column] = *first;
  const std::string shown(lines[line][column].text);
  if (!decimal)
    refuse_score({.path = path,
                  .line = line + 1,
                  .field = std::string(lines[0][column].text),
                  .value = shown,
                  .problem = "the comma may be a decimal one or separate thousands",
                  .help = "write the numbers with a decimal point, and thousands without a separator"});
  std::string number;
  for (std::size_t i = 1; i < lines.size(); ++i)
    for (const std::size_t place : columns) {
      if (place >= lines[i].size() || comma_in(lines[i][place].text) == Comma::none) continue;
      number = lines[i][place].text;
      std::ranges::replace(number, ',', '.');
      lines.replace(i, place, number);
    }
  notes.push_back("numbers are read with a decimal comma: " + shown + " is " + std::string(lines[line][column].text));
}

}  // namespace retrial::harness::inline scores::inline lines
