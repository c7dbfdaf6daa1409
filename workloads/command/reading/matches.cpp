#include <algorithm>

#include "results/text/text.hpp"
#include "workloads/command/reading/reading.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

using Kind = PrintedValue::Kind;

/// A value and its brackets are shorter; without a limit, an output of one long line would be read to its end for each
/// of its words.
constexpr std::size_t longest_value = 256;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

/// A dash, dot or slash joins two parts of a name, except at the beginning of a line and in "--accuracy".
bool begins_word(std::string_view text, std::size_t at) {
  constexpr std::string_view joints = "-./";
  if (at == 0) return true;
  if (joints.find(text[at - 1]) == joints.npos) return !is_word(text[at - 1]);
  return at == 1 || !is_word(text[at - 2]);
}

/// The rest of the line from `begin`, cut where a value has ended, but never within a number.
std::string_view value_text(std::string_view text, std::size_t begin) {
  const auto end = text.find_first_not_of("+-.0123456789eE", begin + longest_value);
  const auto rest = text.substr(begin, end - begin);
  return rest.substr(0, rest.find('\n'));
}

/// Text after the word that ends at `at`.
std::optional<Match> match_after(std::string_view text, std::size_t at) {
  constexpr std::string_view separators = "=:\"' \t";
  auto begin = at;
  while (begin < text.size() && separators.find(text[begin]) != separators.npos) ++begin;
  if (begin == at) return std::nullopt;
  Match match{.at = begin, .text = value_text(text, begin), .value = {}};
  match.value = value_at(match.text);
  const auto between = text.substr(at, begin - at);
  if (match.value.kind == Kind::words && between.find_first_of("=:") == between.npos) return std::nullopt;
  return match;
}

std::string shown(std::string_view line) {
  return results::one_line(line, 160);
}

char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::vector<Match> matches_of_word(std::string_view output, const std::string& name) {
  std::vector<Match> found;
  for (auto at = output.find(name); at != output.npos; at = output.find(name, at + 1))
    if (begins_word(output, at))
      if (auto match = match_after(output, at + name.size())) found.push_back(std::move(*match));
  return found;
}

std::vector<Match> matches_of(std::string_view output, const Read& read) {
  return read.pattern ? matches_of_pattern(output, *read.pattern) : matches_of_word(output, read.name);
}

std::optional<double> last_value(std::string_view output, const Read& read) {
  const auto all = matches_of(output, read);
  for (auto match = all.rbegin(); match != all.rend(); ++match) {
    if (match->value.kind == Kind::number) return match->value.value;
    if (!read.pattern && match->value.kind == Kind::words) continue;
    throw TrialFailure("command.no_metric", problem_of(*match, read, output));
  }
  return std::nullopt;
}

std::string problem_of(const Match& match, const Read& read, std::string_view output) {
  const auto line = line_at(output, match.at);
  const std::string who = read.pattern ? "the pattern of \"" + read.name + "\" captured \"" +
                                             results::one_line(match.text, 100) + "\", which is "
                                       : "\"" + read.name + "\" is followed by ";
  const std::string what = match.value.kind == Kind::out_of_range ? "a number outside the range of a double"
                           : match.value.kind == Kind::unclear    ? "more or less than one number"
                           : read.pattern                         ? "not a number"
                                                                  : "no number";
  const std::string hint = read.pattern ? ""
                                        : "; " + std::string(read.option) + " '" + read.name +
                                              "~REGEX' with one (...) around the number says which to take";
  return who + what + " in the line \"" + shown(line.text) + "\"" + (match.value.kind == Kind::unclear ? hint : "");
}

Line line_at(std::string_view output, std::size_t at) {
  const auto before = output.substr(0, at);
  const auto begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.number = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .text = output.substr(begin, output.find('\n', at) - begin)};
}

std::string line_with_word(std::string_view output, const std::string& name) {
  const auto same = [](char a, char b) { return lower_case(a) == lower_case(b); };
  const auto found = std::find_end(output.begin(), output.end(), name.begin(), name.end(), same);
  if (name.empty() || found == output.end()) return "";
  const auto line = line_at(output, static_cast<std::size_t>(found - output.begin()));
  return ", though this line holds the word: \"" + shown(line.text) + "\"";
}

}  // namespace retrial::workloads::command::inline reading
