#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::workloads::command::inline surroundings {

/// The program that does the work of a command line: argv[0], behind `env` the program after its assignments; of a
/// script with "#!" the interpreter that its first line names. As found through PATH, links not followed, because the
/// folder of a link decides which packages a Python has. Nothing if it does not exist.
[[nodiscard]] std::optional<std::filesystem::path> interpreter_of(const std::vector<std::string>& words,
                                                                  const std::filesystem::path& workdir);

/// What an interpreter says of itself.
struct Interpreter {
  Json facts;                 ///< file, real_file, version
  Json packages;              ///< name to version; null: none were asked for
  Json conda;                 ///< packages of its conda environment; null: it is in none
  std::string packages_note;  ///< why none were asked for; empty otherwise
  // Of a Python:
  std::string bytecode_tag;                        ///< "cpython-311"; empty: it writes no byte code beside its sources
  std::vector<std::filesystem::path> modules;      ///< in the import statements of the script and of its modules
  std::vector<std::filesystem::path> own_folders;  ///< of its path, those outside its installation
};

/// What an interpreter is to run.
struct Script {
  std::filesystem::path file;    ///< empty: none is named
  std::filesystem::path folder;  ///< where it imports from first
  std::string module;            ///< of `python -m`
};

/// Asks a Python for its version, packages and path, and for the modules of the user that the script imports; other
/// well-known interpreters for their version; nothing else is started. Each question is asked once a process.
[[nodiscard]] const Interpreter& interpreter_at(const std::filesystem::path& file, const std::filesystem::path& workdir,
                                                const Script& script);

}  // namespace retrial::workloads::command::inline surroundings
