#pragma once

#include <filesystem>

namespace retrial::harness::inline system {

/// True for a folder, no link to one, that belongs to this user and that nobody else can write to.
[[nodiscard]] bool is_own_folder(const std::filesystem::path& folder);

}  // namespace retrial::harness::inline system
