#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace retrial::workloads::command::inline line {

/// "python" of "/usr/bin/python3.11": the name without its folder and version.
[[nodiscard]] std::string plain_name(const std::string& program);

/// True for a program that runs the text of other files: python, Rscript, sh.
[[nodiscard]] bool runs_scripts(const std::string& program);

/// The place of the program that does the work: after `env` and its assignments.
[[nodiscard]] std::size_t place_of_program(const std::vector<std::string>& words);

/// The words after "#!" in the first line of a script, empty without "#!".
[[nodiscard]] std::vector<std::string> shebang_of(const std::filesystem::path& file);

}  // namespace retrial::workloads::command::inline line
