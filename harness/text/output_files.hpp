#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace retrial::harness::inline text {

/// A file that a command is about to write, and the option that names it.
struct OutputFile {
  std::string option;
  std::filesystem::path path;
};

/// By its first bytes (sqlite.org/fileformat.html): a store may have any name.
[[nodiscard]] bool is_store(const std::filesystem::path& file);

/// Before anything is computed: Error{usage} for an output that is one of the inputs, a store or a study file, or the
/// same file as another output, however its path is spelled, and through links too.
void demand_separate(const std::vector<OutputFile>& outputs, const std::vector<std::filesystem::path>& inputs);

/// write_output() for a file that does not exist yet: Error{usage} for another unless `force` replaces it.
void write_new_output(const std::string& file, const std::string& bytes, bool force);

}  // namespace retrial::harness::inline text
