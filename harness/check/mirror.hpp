#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace retrial::harness::inline check {

/// Fills the empty folder `to` with links to everything in `from`, so that a program reads the files of some folder in
/// another order. Folders become folders, because their order matters too; large and deep ones are linked whole. False
/// if no order differs: too few files, or a file system with one order of its own.
[[nodiscard]] bool mirrored_in_other_order(const std::filesystem::path& from, const std::filesystem::path& to);

/// A file system that keeps the order in which files are made (/dev/shm), else the temporary folder.
[[nodiscard]] std::filesystem::path folder_for_mirrors();

/// The names in a folder in the order in which programs read them.
[[nodiscard]] std::vector<std::string> names_in_order(const std::filesystem::path& folder);

}  // namespace retrial::harness::inline check
