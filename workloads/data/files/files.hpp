#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace retrial::data::inline files {

/// Bytes read from `file`, gunzipped when they begin with 1f 8b. Throws Error{usage} when the archive is damaged, cut
/// short or followed by other bytes, opens to more than `most` bytes, or to more than 16 MiB and 200 times its size
/// (the largest published file opens to 5 times).
[[nodiscard]] std::vector<std::uint8_t> opened(std::vector<std::uint8_t> bytes, const std::filesystem::path& file,
                                               std::uint64_t most);

/// Size of a regular file of at most `most` bytes. Throws Error{incomparable} when there is none (a folder, a pipe or a
/// device is none), Error{usage} above `most`.
[[nodiscard]] std::uint64_t file_bytes(const std::filesystem::path& file, std::uint64_t most);

/// Fills `to` with the bytes of a file from `offset` on. Throws Error{incomparable} when it cannot be read or is
/// shorter.
void read_into(const std::filesystem::path& file, std::span<std::uint8_t> to, std::uint64_t offset = 0);

/// Error{usage, "data.content"}: a file whose content is not what its format says.
[[noreturn]] void refuse_content(const std::filesystem::path& file, const std::string& problem,
                                 const std::string& help = "");
/// Error{incomparable, "data.missing"}.
[[noreturn]] void refuse_missing(const std::filesystem::path& file, const std::string& help);

}  // namespace retrial::data::inline files
