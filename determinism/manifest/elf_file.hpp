#pragma once

#include <optional>
#include <string>
#include <vector>

/// Facts in the headers of a 64-bit little-endian ELF file, which may be damaged or hostile: reads what the headers
/// point to and nothing else, however large the file. Other files have no facts.
namespace retrial::determinism::inline manifest {

/// From the notes of the program headers or else of the sections.
[[nodiscard]] std::optional<std::string> build_id_of_file(const std::string& path);

/// File names of the shared libraries that a program names itself (DT_NEEDED), in order.
[[nodiscard]] std::vector<std::string> needed_libraries(const std::string& program);

}  // namespace retrial::determinism::inline manifest
