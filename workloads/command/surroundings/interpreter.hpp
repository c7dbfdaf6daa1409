#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::workloads::command::inline surroundings {

/// The program that does the work of a command line: argv[0], after `env` the program after its assignments; for a
/// script with "#!" the interpreter that its first line names. As found through PATH, links not followed, because the
/// folder of a link decides which packages a Python has. Nothing if it does not exist.
[[nodiscard]] std::optional<std::filesystem::path> interpreter_of(const std::vector<std::string>& words,
                                                                  const std::filesystem::path& workdir);

/// Facts that an interpreter reports about itself.
struct Interpreter {
  Json facts;                 ///< file, real_file, version
  Json packages;              ///< name to version; null: none were asked for
  Json conda;                 ///< packages of its conda environment; null: it is in none
  std::string packages_note;  ///< why none were asked for; empty otherwise
  // Python only:
  std::string bytecode_tag;                        ///< "cpython-311"; empty: it writes no byte code next to its sources
  std::vector<std::filesystem::path> modules;      ///< in the import statements of the script and of its modules
  std::vector<std::filesystem::path> own_folders;  ///< folders on its path outside its installation
};

/// The script that an interpreter is to run.
struct Script {
  std::filesystem::path file;    ///< empty: none is named
  std::filesystem::path folder;  ///< where it imports from first
  std::string module;            ///< module of `python -m`
};

/// Asks a Python for its version, packages and path, and for the modules of the user that the script imports; other
/// well-known interpreters for their version; nothing else is started. Each question is asked once per process.
[[nodiscard]] const Interpreter& interpreter_at(const std::filesystem::path& file, const std::filesystem::path& workdir,
                                                const Script& script);

}  // namespace retrial::workloads::command::inline surroundings
