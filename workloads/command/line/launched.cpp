#include "workloads/command/line/launched.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>

#include "results/text/text.hpp"
#include "workloads/command/line/interpreters.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/command/process/process.hpp"

namespace retrial::workloads::command::inline line {

namespace {

using Line = std::vector<std::string>;

/// As many as the kernel follows.
constexpr int scripts_in_scripts = 5;

bool is_machine_code(const std::filesystem::path& file) {
  std::array<char, 4> mark{};
  std::ifstream stream(file, std::ios::binary);
  return stream.read(mark.data(), mark.size()) && mark == std::array{'\x7f', 'E', 'L', 'F'};
}

/// "env -S python3 -u script": one word after "#!" that env itself splits.
void split_for_env(Line& words) {
  if (words.size() < 2 || plain_name(words[0]) != "env" || !words[1].starts_with("-S")) return;
  const auto given = texts_of(split_words(words[1].substr(2)));
  words.erase(words.begin() + 1);
  words.insert(words.begin() + 1, given.begin(), given.end());
}

/// Takes `env` and its assignments away. With options (-i, -u) it stays: what they do is for env to know.
void take_env(Line& words, Line& assignments) {
  split_for_env(words);
  const auto place = place_of_program(words);
  if (place == 0 || words[place].starts_with("-")) return;
  assignments.insert(assignments.end(), words.begin() + 1, words.begin() + static_cast<std::ptrdiff_t>(place));
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(place));
}

/// A script becomes its interpreter; the kernel passes all words after it as one. A text without "#!" is one of
/// /bin/sh, as execvp has it.
Line interpreted(const std::filesystem::path& script, const Line& words) {
  auto line = shebang_of(script);
  Line out{line.empty() ? "/bin/sh" : line.front()};
  if (line.size() > 1) out.push_back(results::joined(std::span(line).subspan(1), " "));
  out.push_back(script.string());
  out.insert(out.end(), words.begin() + 1, words.end());
  return out;
}

}  // namespace

Launched launched(const std::vector<std::string>& launcher, const std::vector<std::string>& argv,
                  const std::filesystem::path& workdir) {
  Launched out{.argv = argv, .assignments = {}};
  if (launcher.empty()) return out;
  auto words = argv;
  for (int depth = 0; depth <= scripts_in_scripts; ++depth) {
    take_env(words, out.assignments);
    const auto found = program_file(words.at(0), workdir);
    if (!found) return {.argv = argv, .assignments = {}};
    const auto file = std::filesystem::absolute(*found);
    if (!is_machine_code(file)) {
      words = interpreted(file, words);
      continue;
    }
    words.front() = file.string();
    out.argv = launcher;
    out.argv.insert(out.argv.end(), words.begin(), words.end());
    return out;
  }
  return {.argv = argv, .assignments = {}};
}

std::vector<std::string> assigned(std::vector<std::string> environment, const std::vector<std::string>& assignments) {
  for (const auto& assignment : assignments) {
    const auto name = assignment.substr(0, assignment.find('=') + 1);
    std::erase_if(environment, [&](const auto& entry) { return entry.starts_with(name); });
    environment.push_back(assignment);
  }
  return environment;
}

}  // namespace retrial::workloads::command::inline line
