#include "workloads/command/surroundings/program_facts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "results/digest/sha256.hpp"
#include "workloads/command/line/copies.hpp"
#include "workloads/command/line/program_files.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/command/surroundings/git_state.hpp"
#include "workloads/command/surroundings/gpus.hpp"
#include "workloads/command/surroundings/imports.hpp"
#include "workloads/command/surroundings/interpreter.hpp"
#include "workloads/command/surroundings/variables.hpp"

namespace retrial::workloads::command::inline surroundings {

namespace {

namespace fs = std::filesystem;

fs::path absolute_folder(const Values& values) {
  const fs::path given = text_in(values, "workdir");
  const auto folder = given.empty() ? fs::current_path() : fs::absolute(given).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

/// The first file that the command names after its program and its place; with `python -m` its module, in the
/// working folder.
Script script_of(const Values& values, const fs::path& workdir) {
  const auto words = texts_of(split_words(text_in(values, "command")));
  const auto option = std::find(words.begin(), words.end(), "-m");
  if (option != words.end() && option + 1 != words.end())
    return {.file = {}, .folder = workdir, .module = *(option + 1)};
  for (const auto& file : program_files_of(values).files)
    if (std::find(words.begin() + (words.empty() ? 0 : 1), words.end(), file.name) != words.end()) {
      const auto path = fs::absolute(file.path).lexically_normal();
      return {.file = path, .folder = path.parent_path(), .module = {}};
    }
  return {.file = {}, .folder = workdir, .module = {}};
}

/// Each folder is looked through once per process.
const SourceFolders& folders_below(const fs::path& root) {
  static std::map<std::string, SourceFolders> known;
  const auto [found, fresh] = known.try_emplace(root.string());
  if (fresh) found->second = source_folders(root);
  return found->second;
}

/// Python only: the folder of the script, and the part of its path outside its installation.
ImportTrace trace_of(const Interpreter& interpreter, const fs::path& workdir, const fs::path& scripts, bool& all) {
  ImportTrace trace{.base = workdir, .folders = {}, .import_of = {}};
  if (interpreter.bytecode_tag.empty()) return trace;
  std::set<fs::path> roots(interpreter.own_folders.begin(), interpreter.own_folders.end());
  roots.insert(scripts);
  for (const auto& root : roots) {
    const auto& sources = folders_below(root);
    for (const auto& folder : sources.folders) trace.folders.push_back(folder / "__pycache__");
    all = all && sources.all;
  }
  trace.import_of = [tag = interpreter.bytecode_tag](const fs::path& opened) { return python_import(opened, tag); };
  return trace;
}

/// The folder of the script, the working folder, and what is below them. Folders of data would flood the kernel's
/// reports.
ReadFolders reads_of(const fs::path& workdir, const fs::path& scripts) {
  constexpr std::size_t max_entries = 1000;
  std::set<fs::path> folders;
  std::size_t left_out = 0;
  bool all = true;
  for (const auto& root : {scripts, workdir}) {
    const auto& sources = folders_below(root);
    for (std::size_t i = 0; i < sources.folders.size(); ++i)
      sources.entries[i] <= max_entries ? (void)folders.insert(sources.folders[i]) : (void)++left_out;
    all = all && sources.all;
  }
  std::string unseen;
  if (left_out > 0) unseen = "files in folders of more than " + std::to_string(max_entries) + " files";
  if (!all) unseen += std::string(unseen.empty() ? "" : ", and ") + "some folders: there are more than can be watched";
  return {.folders = {folders.begin(), folders.end()}, .unseen = unseen};
}

Json module_digests(const Interpreter& interpreter, const fs::path& workdir) {
  Json digests = Json::object();
  for (const auto& module : interpreter.modules) {
    const auto relative = module.lexically_relative(workdir);
    const bool outside = relative.empty() || *relative.begin() == "..";
    digests[outside ? module.string() : relative.string()] = results::hex(results::sha256_file(module));
  }
  return digests;
}

std::string imports_text(const Interpreter& interpreter, const ImportTrace& trace, bool all) {
  const std::string statements = "known from the import statements of the sources";
  if (!interpreter.packages.is_object() && interpreter.bytecode_tag.empty())
    return "not known: only the files of the command line are";
  if (trace.folders.empty()) return statements;
  return statements + ", and from the byte code that Python opens" +
         (all ? "" : " (in part: more folders than can be watched)");
}

Json packages_or_note(const Interpreter& interpreter) {
  return interpreter.packages_note.empty() ? interpreter.packages : Json(interpreter.packages_note);
}

}  // namespace

ProgramFacts program_facts_of(const Values& values) {
  const auto workdir = absolute_folder(values);
  const auto script = script_of(values, workdir);
  const bool copied = !copied_files(values).empty();
  Json program{{"working_folder", copied ? "a folder of each trial, with the files of --copy" : workdir.string()},
               {"git", git_state_of(script.folder)},
               {"variables", variables_in_force()},
               {"modules", Json::object()},
               {"imports", "not known: only the files of the command line are"}};
  ImportTrace trace{.base = workdir, .folders = {}, .import_of = {}};
  if (flag_in(values, "shell")) {
    program["interpreter"] = {{"file", "/bin/sh"}};
    program["packages"] = "not asked for: a shell starts the programs of this command";
  } else if (const auto file = interpreter_of(texts_of(split_words(text_in(values, "command"))), workdir)) {
    const auto& interpreter = interpreter_at(*file, workdir, script);
    program["interpreter"] = interpreter.facts;
    program["packages"] = packages_or_note(interpreter);
    if (!interpreter.conda.is_null()) program["conda"] = interpreter.conda;
    bool all = true;
    trace = trace_of(interpreter, workdir, script.folder, all);
    program["modules"] = module_digests(interpreter, workdir);
    program["imports"] = imports_text(interpreter, trace, all);
  }
  auto reads = copied ? ReadFolders() : reads_of(workdir, script.folder);
  return {
      .program = std::move(program), .machine = gpu_facts(), .imports = std::move(trace), .reads = std::move(reads)};
}

}  // namespace retrial::workloads::command::inline surroundings
