#include "harness/scores/lines/score_lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iostream>
#include <set>
#include <span>

#include "harness/scores/lines/separators.hpp"
#include "results/report/drawing/escape.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "variance/samples/sample.hpp"

namespace retrial::harness::inline scores::inline lines {

std::string score_text(const std::filesystem::path& path) {
  constexpr std::size_t largest = std::size_t{128} << 20, part_size = std::size_t{1} << 16;
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(path, ignored))
    throw Error({.exit = Exit::incomparable,
                 .code = "scores.missing",
                 .where = path.string(),
                 .problem = "does not exist or cannot be read"});
  std::string text;
  // Of a pipe nobody knows the size: pages that are never written cost no memory.
  const bool sized = path != "-" && std::filesystem::is_regular_file(path, ignored);
  text.reserve(std::min(sized ? std::filesystem::file_size(path, ignored) : largest, largest) + part_size);
  for (std::array<char, part_size> part; in.read(part.data(), part.size()), in.gcount() > 0;) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest) refuse_score({.path = path, .problem = "larger than 128 MiB"});
  }
  return text;
}

data::TableLines score_lines(const std::filesystem::path& path, std::string_view text) {
  auto lines = separated_lines(path, text);
  if (lines.size() < 2)
    throw Error(
        {.code = "scores.syntax", .where = path.string(), .problem = "needs a header and at least one line of scores"});
  return lines;
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

void require_whole_line(const std::filesystem::path& path, const data::TableLines& lines, std::size_t line) {
  const std::size_t found = lines[line - 1].size(), wanted = lines[0].size();
  if (found != wanted)
    refuse_score(
        {.path = path,
         .line = line,
         .problem = std::to_string(found) + " fields, the header has " + std::to_string(wanted),
         .help = lines[0][0].text.starts_with("#") ? "the first line is the header: remove comments above it" : ""});
}

void refuse_score(const ScoreMistake& mistake) {
  throw Error({.code = "scores.syntax",
               .where = mistake.path.string() + (mistake.line > 0 ? ":" + std::to_string(mistake.line) : ""),
               .field = mistake.field,
               .value = results::one_line(mistake.value, 100),
               .problem = mistake.problem,
               .allowed = mistake.allowed,
               .help = mistake.help});
}

namespace {

/// 1e400 and 1e-400 are numbers; "nan" and "1,5" are not.
std::string problem_of(const std::string& text) {
  double value{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (rest != end || rest == text.data()) return "not a number";
  return error == std::errc::result_out_of_range ? "outside the range of a double" : "not a finite number";
}

}  // namespace

void require_judgeable(const std::filesystem::path& path, const std::string& metric, double largest) {
  try {
    variance::require_sizes(metric, std::span(&largest, 1));
  } catch (const InvalidInput& mistake) {
    refuse_score({.path = path,
                  .field = mistake.field,
                  .value = mistake.value,
                  .problem = "too small to be judged",
                  .allowed = mistake.allowed});
  }
}

void require_plain_name(const ScoreMistake& place, const std::string& name) {
  if (report::cleaned(name, name.size() + 1) == name) return;
  ScoreMistake mistake = place;
  mistake.value = report::cleaned(name, 100);
  mistake.problem = "contains control characters or marks that change the writing direction";
  refuse_score(mistake);
}

void require_size(const ScoreMistake& place, double score) {
  if (std::fabs(score) <= variance::largest_size) return;
  ScoreMistake mistake = place;
  mistake.value = mistake.value.empty() ? results::text_of(score) : mistake.value;
  mistake.problem = "too large to be judged";
  mistake.allowed = "sizes up to " + results::text_of(variance::largest_size) + "; give the scores in another unit";
  refuse_score(mistake);
}

bool is_missing(std::string_view text) {
  static const std::set<std::string> words{"", "nan", "+nan", "-nan", "na", "<na>", "n/a", "#n/a", "none", "null", "-"};
  constexpr std::size_t longest = 4;
  return text.size() <= longest && words.contains(lower_case(std::string(text)));
}

std::string hole_text(const ScoreMistake& place, std::string_view text) {
  return results::one_line(place.field, 100) + " in line " + std::to_string(place.line) + " (" +
         (text.empty() ? "empty" : std::string(text)) + ")";
}

namespace {

/// "68.04%", "680.4 ms": a number, and what follows it. "0,91" and "1,250.5": commas.
std::string unit_help(const std::string& text) {
  if (text.find(',') != std::string::npos && text.find_first_not_of("+-.,0123456789") == std::string::npos)
    return "write numbers with a decimal point and without separators of thousands: 1250.5";
  const auto end = text.find_first_not_of(".0123456789", text.find_first_of(".0123456789"));
  if (end == 0 || end == std::string::npos || !results::parse_double(text.substr(0, end))) return "";
  const std::string rest = text.substr(text[end] == ' ' ? end + 1 : end);
  if (rest.starts_with("±") || rest.starts_with("+-") || rest.starts_with("+/-"))
    return "a mean with its spread sums up runs: give one line per run";
  const std::string unit = results::one_line(rest, 20);
  return "if " + unit + " is a unit, write it in the heading and leave it out here";
}

}  // namespace

std::optional<double> plain_score(std::string_view text) {
  const auto value = results::parse_double(text);
  return value && std::fabs(*value) <= variance::largest_size ? value : std::nullopt;
}

double score_from(const ScoreMistake& place, std::string_view field) {
  const std::string text(field);
  ScoreMistake mistake = place;
  mistake.value = text;
  // The web page of MLflow writes '-0.3 for -0.3, so that no spreadsheet takes it for a formula.
  const std::string number = text.starts_with("'-") || text.starts_with("'+") ? text.substr(1) : text;
  const bool plus = number.size() > 1 && number[0] == '+' && number[1] != '-';
  const auto value = results::parse_double(plus ? number.substr(1) : number);
  if (!value) {
    if (auto help = unit_help(text); !help.empty()) mistake.help = std::move(help);
    mistake.problem = problem_of(plus ? number.substr(1) : number);
    mistake.allowed = "finite numbers like 0.91 or 1.5e-3";
    refuse_score(mistake);
  }
  require_size(mistake, *value);
  return *value;
}

}  // namespace retrial::harness::inline scores::inline lines
