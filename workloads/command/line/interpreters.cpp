#include "workloads/command/line/interpreters.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace retrial::workloads::command::inline line {

namespace {

constexpr std::array<std::string_view, 20> interpreters{
    "R",   "Rscript", "bash",   "dash", "deno", "fish", "ipython", "java", "julia", "ksh",
    "lua", "node",    "octave", "perl", "php",  "pypy", "python",  "ruby", "sh",    "zsh"};

}  // namespace

std::string plain_name(const std::string& program) {
  std::string name = program.substr(program.rfind('/') + 1);
  const auto last = name.find_last_not_of("0123456789.");
  return last == std::string::npos ? name : name.substr(0, last + 1);
}

bool runs_scripts(const std::string& program) {
  return std::ranges::find(interpreters, plain_name(program)) != interpreters.end();
}

std::size_t place_of_program(const std::vector<std::string>& words) {
  if (words.empty() || plain_name(words.front()) != "env") return 0;
  const auto is_set = [](const std::string& word) { return word.find('=') != std::string::npos; };
  const auto program = std::find_if_not(words.begin() + 1, words.end(), is_set);
  return program == words.end() ? 0 : static_cast<std::size_t>(program - words.begin());
}

std::vector<std::string> shebang_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::array<char, 2> mark{};
  if (!stream.read(mark.data(), mark.size()) || mark != std::array{'#', '!'}) return {};
  std::string line;
  std::getline(stream, line);
  std::istringstream words(line.substr(0, 4096));
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

}  // namespace retrial::workloads::command::inline line
