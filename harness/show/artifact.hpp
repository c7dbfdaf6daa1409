#pragma once

#include <filesystem>
#include <string>

#include "results/store/store.hpp"

namespace retrial::harness::inline show {

/// The bytes of an artifact of a trial, unchanged and compared with their digest, on standard output or in `file`.
/// Throws Error: usage for a name that the trial has no artifact of, incomparable if its file next to the store is
/// gone, integrity if it was changed.
void show_artifact(const results::Store& store, const std::filesystem::path& path, std::int64_t trial,
                   const std::string& name, const std::string& file);

/// Its bytes, wherever they lie. Throws Error naming the artifact and those that there are.
[[nodiscard]] std::string artifact_bytes(const results::Store& store, const std::filesystem::path& path,
                                         std::int64_t trial, const std::string& name);

}  // namespace retrial::harness::inline show
