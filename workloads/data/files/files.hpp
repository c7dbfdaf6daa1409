#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace retrial::data::inline files {

/// Bytes read from `file`, decompressed if they begin with 1f 8b. Throws Error{usage} if the archive is damaged, cut
/// short or followed by other bytes, or if it decompresses to more than `max` bytes, or to more than 16 MiB and 200
/// times its size (the largest published file reaches 5 times).
[[nodiscard]] std::vector<std::uint8_t> opened(std::vector<std::uint8_t> bytes, const std::filesystem::path& file,
                                               std::uint64_t max);

/// Size of a regular file of at most `max` bytes. Throws Error{incomparable} if it does not exist or is not a regular
/// file, Error{usage} above `max`.
[[nodiscard]] std::uint64_t file_bytes(const std::filesystem::path& file, std::uint64_t max);

/// Fills `to` with the bytes of a file from `offset` on. Throws Error{incomparable} if it cannot be read or is shorter.
void read_into(const std::filesystem::path& file, std::span<std::uint8_t> to, std::uint64_t offset = 0);

/// Error{usage, "data.content"}: the content of a file does not have its format.
[[noreturn]] void refuse_content(const std::filesystem::path& file, const std::string& problem,
                                 const std::string& help = "");
/// Error{incomparable, "data.missing"}.
[[noreturn]] void refuse_missing(const std::filesystem::path& file, const std::string& help);

}  // namespace retrial::data::inline files
