#include "workloads/command/reading/reading.hpp"

#include <set>

#include "workloads/command/reading/lists.hpp"
#include "workloads/command/reading/number.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

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

std::optional<double> number_behind(std::string_view text, std::size_t at) {
  constexpr std::string_view between = "=:\"' \t";
  auto number = at;
  while (number < text.size() && between.find(text[number]) != between.npos) ++number;
  if (number == at) return std::nullopt;
  const auto found = number_at(text.substr(number));
  if (!found) return std::nullopt;
  return found->value;
}

std::string problem_of(const Read& read) {
  static const std::set<std::string> costs{"wall_s", "cpu_s", "peak_rss_mib"};
  if (read.name.empty()) return "a metric needs a name before its pattern";
  if (costs.contains(read.name)) return "\"" + read.name + "\" is always recorded, so its name is taken";
  return read.pattern ? pattern_problem(*read.pattern) : "";
}

}  // namespace

std::vector<Read> reads_of(const std::string& text) {
  std::vector<Read> reads;
  for (const auto& line : lines_of(text)) {
    const auto tilde = line.find('~');
    if (tilde == std::string::npos)
      reads.push_back({line, std::nullopt});
    else
      reads.push_back({trimmed(line.substr(0, tilde)), line.substr(tilde + 1)});
  }
  return reads;
}

std::vector<std::string> problems_of(const std::vector<Read>& reads) {
  std::vector<std::string> problems;
  std::set<std::string> names;
  for (const auto& read : reads) {
    if (auto problem = problem_of(read); !problem.empty()) problems.push_back(std::move(problem));
    if (!names.insert(read.name).second) problems.push_back("\"" + read.name + "\" is read twice");
  }
  return problems;
}

std::optional<double> last_number_after(std::string_view output, const std::string& name) {
  for (auto at = output.rfind(name); at != output.npos; at = output.rfind(name, at - 1)) {
    const auto value = begins_word(output, at) ? number_behind(output, at + name.size()) : std::nullopt;
    if (value || at == 0) return value;
  }
  return std::nullopt;
}

}  // namespace retrial::workloads::command::inline reading
