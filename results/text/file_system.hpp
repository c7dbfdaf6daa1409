#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace retrial::results::inline text {

/// The name of a network file system by its statfs f_type (linux/magic.h), nothing for a local one. Write-ahead logging
/// needs shared memory between processes, which none of these provides.
[[nodiscard]] std::optional<std::string_view> network_file_system(long type);
/// The same for the file system that holds `file`, or would hold it.
[[nodiscard]] std::optional<std::string_view> network_file_system_of(const std::filesystem::path& file);

/// Writes to a new file of a random name next to `file`, fsyncs, renames and fsyncs the folder: afterwards either the
/// whole file exists or none of it. A device or a pipe of that name is written to directly. False if the disk reports
/// an error.
[[nodiscard]] bool write_durably(const std::filesystem::path& file, std::string_view bytes);

/// The whole file; nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> read_whole(const std::filesystem::path& file);

}  // namespace retrial::results::inline text
