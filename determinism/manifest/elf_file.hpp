#pragma once

#include <optional>
#include <string>
#include <vector>

/// Facts in the headers of a 64-bit little-endian ELF file, which may be damaged or hostile: only the parts that the
/// headers point to are read, however large the file is. For other files the results are empty.
namespace retrial::determinism::inline manifest {

/// The GNU build id in hex, from the notes of the program headers or else of the sections.
[[nodiscard]] std::optional<std::string> build_id_of_file(const std::string& path);

/// File names of the shared libraries that a program lists (DT_NEEDED), in order.
[[nodiscard]] std::vector<std::string> needed_libraries(const std::string& program);

}  // namespace retrial::determinism::inline manifest
