#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/interface/user_program.hpp"

namespace retrial::workloads::command::inline surroundings {

constexpr std::size_t max_source_folders = 512, max_source_entries = 20'000;

/// A folder and everything below it, the nearest first. Hidden folders, virtual environments and installed
/// packages are left out.
struct SourceFolders {
  std::vector<std::filesystem::path> folders;
  std::vector<std::size_t> entries;  ///< of each folder
  bool all = true;                   ///< false: there are more than can be watched
};
[[nodiscard]] SourceFolders source_folders(const std::filesystem::path& folder);

/// A Python opens the byte code of every module that it imports, or writes it: x.py of __pycache__/x.cpython-311.pyc.
/// Nothing for a file of another Python (`tag`) or another program. Editors open no byte code.
[[nodiscard]] std::optional<Import> python_import(const std::filesystem::path& opened, const std::string& tag);

}  // namespace retrial::workloads::command::inline surroundings
