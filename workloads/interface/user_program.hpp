#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::workloads::inline interface {

/// A file that a command line names: by its word, and its place.
struct ProgramFile {
  std::string name;
  std::filesystem::path path;
};

/// The files of a user's program, as far as its command line names them.
struct ProgramFiles {
  std::vector<ProgramFile> files;    ///< whose SHA-256 are Declaration::program, in its order
  std::vector<ProgramFile> options;  ///< named inside of words (--config=a.yaml): in no identity, watched all the same
  std::string unseen;                ///< the reason why an edit of the program would change none of them; empty: none
};

/// A module that a program has imported.
struct Import {
  std::filesystem::path source;
  bool edited = false;  ///< true if the import was made from other bytes than the source has now
};

/// Traces of the imports of a program: it opens files in certain folders.
struct ImportTrace {
  std::filesystem::path base;                  ///< modules are named relative to it where they are below
  std::vector<std::filesystem::path> folders;  ///< some may not exist yet; empty: imports are not traced
  /// The import that this file means; nothing for any other file.
  std::function<std::optional<Import>(const std::filesystem::path& opened)> import_of;
};

/// Folders whose files a program may read by names of its own.
struct ReadFolders {
  std::vector<std::filesystem::path> folders;  ///< not their subfolders
  std::string unseen;                          ///< what else it may read and nobody will see; empty: nothing
};

/// Environment of a user's program. The program and its kernels are not ours: none of our own libraries is listed here.
struct ProgramFacts {
  Json program;  ///< the manifest's group `program`: interpreter, packages, git, variables
  Json machine;  ///< parts of the machine that such a program may use and we do not: GPUs and their driver
  ImportTrace imports;
  ReadFolders reads;
};

}  // namespace retrial::workloads::inline interface
