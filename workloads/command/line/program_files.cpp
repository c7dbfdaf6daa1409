#include "workloads/command/line/program_files.hpp"

#include <algorithm>

#include "results/digest/sha256.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/copies.hpp"
#include "workloads/command/line/interpreters.hpp"
#include "workloads/command/line/startable.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/command/reading/lists.hpp"

namespace retrial::workloads::command::inline line {

namespace {

/// Words of the command, or of the one in `key`: prepare.
std::vector<std::string> words_of_command(const Values& values, const std::string& key = "command") {
  auto words = texts_of(split_words(text_in(values, key)));
  if (!words.empty() && flag_in(values, "shell")) words.insert(words.begin(), "/bin/sh");
  return words;
}

/// The files that the command names, its program first.
std::vector<ProgramFile> files_among(const std::vector<std::string>& words, const std::filesystem::path& workdir) {
  std::vector<ProgramFile> files;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto file = i == 0 ? program_file(words[i], workdir).value_or("") : workdir / words[i];
    if (is_regular(file)) files.push_back({words[i], file});
  }
  return files;
}

/// The files that words name after their "=", each once.
std::vector<ProgramFile> files_of_options(const std::vector<std::string>& words, const std::filesystem::path& workdir) {
  std::vector<ProgramFile> files;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == word.npos || equals + 1 == word.size()) continue;
    const auto name = word.substr(equals + 1);
    const bool known = std::ranges::find(files, name, &ProgramFile::name) != files.end();
    if (!known && is_regular(workdir / name)) files.push_back({name, workdir / name});
  }
  return files;
}

std::filesystem::path input_file(const std::filesystem::path& workdir, const std::string& name) {
  const auto file = workdir / name;
  if (is_regular(file)) return file;
  throw Error({.code = "command.input", .field = "command.inputs", .value = name, .problem = "no such file"});
}

/// Code in the command itself ("python3 -c ...") is in its text.
bool has_code(const std::vector<std::string>& words) {
  return std::ranges::any_of(words,
                             [](const std::string& word) { return word == "-c" || word == "-e" || word == "--eval"; });
}

/// A command line that names an interpreter and no file for it to run. `words` with the shell in front under `shell`.
std::string unseen_in(const std::vector<std::string>& words, const std::vector<ProgramFile>& files, bool shell) {
  if (words.empty() || has_code(words)) return "";
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(shell ? 1 : place_of_program(words));
  const auto interpreter = shell ? std::find_if(first, words.end(), runs_scripts) : first;
  if (interpreter == words.end() || !runs_scripts(*interpreter)) return "";
  const auto names_script = [&](const ProgramFile& file) { return file.name != words[0] && file.name != *interpreter; };
  if (std::ranges::any_of(files, names_script)) return "";
  return "no word of its command but " + *interpreter + " is a file";
}

}  // namespace

ProgramFiles program_files_of(const Values& values) {
  const std::filesystem::path workdir = text_in(values, "workdir");
  const auto words = words_of_command(values);
  const auto inputs = lines_of(text_in(values, "inputs"));
  check_copies(values);
  const auto copies = copied_files(values);
  ProgramFiles found{.files = files_among(words, workdir), .options = files_of_options(words, workdir), .unseen = {}};
  if (inputs.empty() && copies.empty()) found.unseen = unseen_in(words, found.files, flag_in(values, "shell"));
  for (auto& file : files_among(words_of_command(values, "prepare"), workdir)) found.files.push_back(std::move(file));
  for (const auto& name : inputs) found.files.push_back({name, input_file(workdir, name)});
  for (const auto& name : copies) found.files.push_back({name, workdir / name});
  return found;
}

std::vector<std::filesystem::path> named_files(const Values& values) {
  std::vector<std::filesystem::path> paths;
  for (auto& file : files_among(words_of_command(values), text_in(values, "workdir")))
    paths.push_back(std::move(file.path));
  return paths;
}

Json program_of(const Values& values) {
  demand_startable(values);
  auto digests = Json::array();
  for (const auto& file : program_files_of(values).files)
    digests.push_back(results::hex(results::sha256_file(file.path)));
  return digests;
}

}  // namespace retrial::workloads::command::inline line
