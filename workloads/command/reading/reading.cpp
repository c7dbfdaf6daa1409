#include "workloads/command/reading/reading.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "results/text/text.hpp"
#include "workloads/command/reading/lists.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

constexpr std::ptrdiff_t longest_name = 200;  // CHECK of metric_def.name in the store

const std::array<std::string, 2> directions{"higher", "lower"};

/// The part after the last colon.
std::string suffix_of(const std::string& name) {
  const auto colon = name.rfind(':');
  return colon == std::string::npos ? "" : name.substr(colon + 1);
}

Read read_of(const std::string& line, const char* option) {
  const auto tilde = line.find('~');
  Read read{.name = trimmed(line.substr(0, tilde)), .pattern = {}, .option = option};
  if (tilde != std::string::npos) read.pattern = line.substr(tilde + 1);
  const auto suffix = suffix_of(read.name);
  if (std::ranges::find(directions, suffix) == directions.end()) return read;
  read.direction = results::direction_from(suffix);
  read.name = trimmed(read.name.substr(0, read.name.size() - suffix.size() - 1));
  return read;
}

std::ptrdiff_t characters_in(const std::string& text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
}

std::string name_problem(const std::string& name) {
  static const std::set<std::string> costs{"wall_s", "cpu_s", "peak_rss_mib", "instructions"};
  if (name.empty()) return "a metric needs a name before its pattern or its direction";
  if (costs.contains(name)) return "\"" + name + "\" is recorded by retrial itself, so its name is taken";
  if (const auto length = characters_in(name); length > longest_name)
    return "a name of " + std::to_string(length) + " characters: a store keeps at most " +
           std::to_string(longest_name) + "; give a short name and find it by its pattern, NAME~REGEX";
  return "";
}

/// "acc,loss" is a list in other programs, and "acc:higher loss" is how `show` prints two metrics; as one name either
/// would fail in the first trial.
std::string list_problem(const Read& read, char separator) {
  const std::string direction =
      read.direction == results::Direction::none ? "" : ":" + std::string(results::name_of(read.direction));
  std::string each;
  std::istringstream parts(read.name + direction);
  for (std::string part; std::getline(parts, part, separator);)
    if (part = trimmed(part); !part.empty()) each += " " + std::string(read.option) + " " + part;
  const std::string what = separator == ',' ? "a comma" : "a blank after a direction";
  return "\"" + read.name + "\" has " + what + ": give every metric its own option," + each +
         ", in a study file an entry of a list (such a name needs a pattern, NAME~REGEX)";
}

bool lists_directions(const std::string& name) {
  return std::ranges::any_of(directions,
                             [&](const auto& one) { return name.find(":" + one + " ") != std::string::npos; });
}

std::string read_problem(const Read& read) {
  if (auto problem = name_problem(read.name); !problem.empty()) return problem;
  if (read.pattern) return pattern_problem(*read.pattern);
  if (read.name.find(',') != std::string::npos) return list_problem(read, ',');
  if (lists_directions(read.name)) return list_problem(read, ' ');
  const auto suffix = suffix_of(read.name);
  const auto near = results::nearest(suffix, directions);
  if (!near) return "";
  return "\"" + suffix + "\" is no direction; did you mean " + read.name.substr(0, read.name.size() - suffix.size()) +
         *near + "? (a name that ends so needs a pattern, NAME~REGEX)";
}

}  // namespace

std::vector<Read> reads_of(const std::string& text, const char* option) {
  std::vector<Read> reads;
  for (const auto& line : lines_of(text)) reads.push_back(read_of(line, option));
  return reads;
}

std::vector<std::string> problems_of(const std::vector<Read>& reads) {
  std::vector<std::string> problems;
  std::set<std::string> names;
  for (const auto& read : reads) {
    if (auto problem = read_problem(read); !problem.empty()) problems.push_back(std::move(problem));
    if (!names.insert(read.name).second) problems.push_back("\"" + read.name + "\" is read twice");
  }
  return problems;
}

}  // namespace retrial::workloads::command::inline reading
