#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Facts in the headers of a 64-bit little-endian ELF file, which may be damaged or hostile: only the parts that the
/// headers point to are read, however large the file is. For other files the results are empty.
namespace retrial::determinism::inline manifest {

/// The GNU build id in hex, from the notes of the program headers or else of the sections.
[[nodiscard]] std::optional<std::string> build_id_of_file(const std::string& path);

/// File names of the shared libraries that a program lists (DT_NEEDED), in order.
[[nodiscard]] std::vector<std::string> needed_libraries(const std::string& program);

/// The GNU build id in the bytes of a note segment or section, in hex. Notes are padded to `alignment` (4, or 8 in
/// segments with that alignment). The input may be hostile: bytes that do not parse end the search.
[[nodiscard]] std::optional<std::string> build_id_in_notes(std::span<const std::byte> notes, std::size_t alignment = 4);

/// Build ids of all objects loaded into this process, by file name; the program itself under "". "none" if an object
/// has no build id. The kernel's own page (vdso) is omitted.
[[nodiscard]] std::map<std::string, std::string> loaded_objects();

}  // namespace retrial::determinism::inline manifest
