#include "workloads/command/line/copies.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/command/reading/lists.hpp"

namespace retrial::workloads::command::inline line {

namespace {

std::filesystem::path from_folder(const Values& values) {
  return text_in(values, "workdir");
}

/// Empty if the file can be copied to the same place below another folder.
std::string problem_of_copy(const std::string& name, const std::filesystem::path& folder) {
  const std::filesystem::path file(name);
  if (file.is_absolute()) return "not a relative path";
  if (file.lexically_normal().begin()->string() == "..") return "outside the working folder";
  std::error_code ignored;
  if (std::filesystem::is_directory(folder / file, ignored)) return "a folder: name its files";
  return is_regular(folder / file) ? "" : "no such file";
}

[[noreturn]] void refuse_copy(const std::string& name, const std::string& problem, const std::string& help) {
  throw Error({.code = "command.copy",
               .field = "command.copy",
               .value = results::one_line(name, 200),
               .problem = problem,
               .allowed = "files below the working folder, relative to it",
               .help = help});
}

/// The files of the working folder that the command names. The name of a program is looked up there if it has a '/'.
std::vector<std::string> relative_files(const Values& values) {
  const auto words = texts_of(split_words(text_in(values, "command")));
  std::vector<std::string> files;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool in_path = i == 0 && !flag_in(values, "shell") && words[i].find('/') == std::string::npos;
    const bool relative = !words[i].empty() && words[i].front() != '/';
    if (relative && !in_path && is_regular(from_folder(values) / words[i])) files.push_back(words[i]);
  }
  return files;
}

}  // namespace

std::vector<std::string> copied_files(const Values& values) {
  return lines_of(text_in(values, "copy"));
}

void check_copies(const Values& values) {
  const auto names = copied_files(values);
  if (names.empty()) return;
  std::vector<std::filesystem::path> copied;
  for (const auto& name : names) {
    if (const auto problem = problem_of_copy(name, from_folder(values)); !problem.empty())
      refuse_copy(name, problem, "");
    copied.push_back(std::filesystem::path(name).lexically_normal());
  }
  for (const auto& name : relative_files(values))
    if (std::ranges::find(copied, std::filesystem::path(name).lexically_normal()) == copied.end())
      refuse_copy(results::joined(names), "the command names " + name + ", which would not be in the trial's folder",
                  "add --copy " + name);
}

void copy_files(const Values& values, const std::filesystem::path& out) {
  for (const auto& name : copied_files(values)) {
    const auto to = out / name;
    std::error_code error;
    std::filesystem::create_directories(to.parent_path(), error);
    if (!error) std::filesystem::copy_file(from_folder(values) / name, to, error);
    if (error)
      throw TrialFailure("command.copy", name + ": cannot be copied to " + out.string() + ": " + error.message());
  }
}

}  // namespace retrial::workloads::command::inline line
