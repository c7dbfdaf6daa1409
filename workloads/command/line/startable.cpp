#include "workloads/command/line/startable.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/interpreters.hpp"
#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/command/process/instructions.hpp"
#include "workloads/command/process/process.hpp"

namespace retrial::workloads::command::inline line {

namespace {

using Folder = std::filesystem::path;
using Names = std::vector<std::string>;

/// Names in these folders that are files of the wanted kind.
template <typename Wanted>
Names names_in(const std::vector<Folder>& folders, Wanted wanted) {
  Names names;
  for (const auto& folder : folders) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      if (entry.is_regular_file(ignored) && wanted(entry.path())) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool executable(const Folder& file) {
  return ::access(file.c_str(), X_OK) == 0;
}

Folder here(const Folder& workdir) {
  std::error_code ignored;
  return std::filesystem::absolute(workdir.empty() ? "." : workdir, ignored).lexically_normal();
}

[[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& problem,
                         const std::optional<std::string>& near, const std::string& otherwise) {
  throw Error({.code = "command." + key,
               .field = "command." + key,
               .value = results::one_line(value, 200),
               .problem = problem,
               .help = near ? "did you mean " + *near + "?" : otherwise});
}

void demand_folder(const Folder& workdir) {
  std::error_code ignored;
  if (workdir.empty() || std::filesystem::is_directory(workdir, ignored)) return;
  refuse("workdir", workdir.string(), std::filesystem::exists(workdir, ignored) ? "is not a folder" : "no such folder",
         std::nullopt, "name an existing folder with --workdir, or leave it out to start in the current one");
}

/// "a b=train.py {seed}": probably meant as the variant "a b".
void demand_no_blank_in_name(const std::string& key, const Names& words, const Folder& workdir) {
  if (words.size() < 2 || program_file(words[0], workdir)) return;
  const auto equals = words[1].find('=');
  if (equals == 0 || equals == std::string::npos || words[1].starts_with("-")) return;
  refuse(key, words[0] + " " + words[1], "no program " + words[0] + " in PATH, and no name of a variant has a blank",
         std::nullopt, "for a variant write NAME=COMMAND, for example " + words[0] + "-" + words[1]);
}

void demand_program(const std::string& key, const std::string& name, const Folder& workdir) {
  const auto file = program_file(name, workdir);
  if (file && executable(*file)) return;
  if (file)
    refuse(key, name, "is not executable", std::nullopt,
           "name its interpreter (python3 " + name + " ...), or make it executable: chmod +x " + name);
  if (name.find('/') == std::string::npos)
    refuse(key, name, "no such program in PATH", results::nearest(name, names_in(search_path(), executable)),
           "install it or give its path; a program of this folder is started as ./" + name);
  const auto folder = here(workdir) / Folder(name).parent_path();
  auto near = results::nearest(Folder(name).filename().string(), names_in({folder}, executable));
  if (near) near = (Folder(name).parent_path() / *near).string();
  std::error_code ignored;
  refuse(key, name,
         (std::filesystem::is_directory(here(workdir) / name, ignored) ? "is a folder" : "no such program") +
             (Folder(name).is_absolute() ? "" : " in " + here(workdir).string()),
         near, "relative paths begin in the current folder, or in the folder of --workdir");
}

struct Interpreter {
  std::string name;
  Names endings;
  Names no_script;  ///< options before a text or a module
};

/// The interpreter that a program name means, version left out: "/usr/bin/python3.11" is python.
const Interpreter* interpreter_of(const std::string& program) {
  static const std::vector<Interpreter> known{{"python", {".py"}, {"-c", "-m"}},
                                              {"pypy", {".py"}, {"-c", "-m"}},
                                              {"sh", {".sh"}, {"-c"}},
                                              {"dash", {".sh"}, {"-c"}},
                                              {"bash", {".sh", ".bash"}, {"-c"}},
                                              {"zsh", {".sh", ".zsh"}, {"-c"}},
                                              {"Rscript", {".R", ".r"}, {"-e"}},
                                              {"julia", {".jl"}, {"-e", "-E"}},
                                              {"node", {".js", ".mjs", ".cjs"}, {"-e", "-p"}},
                                              {"perl", {".pl"}, {"-e", "-E"}},
                                              {"ruby", {".rb"}, {"-e"}},
                                              {"lua", {".lua"}, {"-e"}}};
  const auto found = std::ranges::find(known, plain_name(program), &Interpreter::name);
  return found == known.end() ? nullptr : &*found;
}

/// The script among the words after an interpreter, skipping options and what may be their arguments (-W ignore).
std::optional<std::string> script_in(const Names& words, const Interpreter& interpreter, const Folder& workdir) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word == "-" || std::ranges::count(interpreter.no_script, word) > 0 || !placeholders_in(word).empty()) return {};
    if (word.starts_with("-")) continue;
    if (std::ranges::any_of(interpreter.endings, [&](const auto& ending) { return word.ends_with(ending); }))
      return word;
    if (!words[i - 1].starts_with("-") || is_regular(workdir / word)) return {};
  }
  return {};
}

void demand_script(const std::string& key, const Names& words, const Folder& workdir) {
  const auto* interpreter = interpreter_of(words.front());
  const auto script = interpreter == nullptr ? std::nullopt : script_in(words, *interpreter, workdir);
  std::error_code ignored;
  if (!script || std::filesystem::exists(workdir / *script, ignored)) return;
  const Folder path(*script);
  const auto same_kind = [&](const Folder& file) { return file.extension() == path.extension(); };
  auto near = results::nearest(path.filename().string(), names_in({here(workdir / path).parent_path()}, same_kind));
  if (near) near = (path.parent_path() / *near).string();
  refuse(key, *script, path.is_absolute() ? "no such file" : "no such file in " + here(workdir).string(), near,
         "relative paths begin in the current folder, or in the folder of --workdir");
}

}  // namespace

void demand_startable(const Values& values) {
  const Folder workdir = text_in(values, "workdir");
  demand_folder(workdir);
  if (text_in(values, "count") == "instructions" && !program_file(counter_program, {}))
    throw Error({.code = "command.count",
                 .field = "command.count",
                 .value = "instructions",
                 .problem = std::string("there is no ") + counter_program + " in PATH",
                 .help = std::string("install the package ") + counter_program + " of your distribution"});
  if (flag_in(values, "shell")) return;
  for (const std::string key : {"command", "prepare"}) {
    const auto words = texts_of(split_words(text_in(values, key)));
    if (words.empty() || !placeholders_in(words.front()).empty()) continue;
    demand_no_blank_in_name(key, words, workdir);
    demand_program(key, words.front(), workdir);
    demand_script(key, words, workdir);
  }
}

}  // namespace retrial::workloads::command::inline line
