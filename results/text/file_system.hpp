#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace retrial::results::inline text {

/// The name of a network file system by its statfs f_type (linux/magic.h), nothing for a local one. Write-ahead
/// logging needs shared memory between processes, which none of these gives.
[[nodiscard]] std::optional<std::string_view> network_file_system(long type);
/// The same for the file system that holds `file`, or would hold it.
[[nodiscard]] std::optional<std::string_view> network_file_system_of(const std::filesystem::path& file);

/// Writes beside `file`, fsyncs, renames and fsyncs the folder: afterwards either all of it is there or nothing.
/// A device or a pipe of that name is written to as it is. False when the disk refuses.
[[nodiscard]] bool write_durably(const std::filesystem::path& file, std::string_view bytes);

/// The whole file; nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> read_whole(const std::filesystem::path& file);

}  // namespace retrial::results::inline text
