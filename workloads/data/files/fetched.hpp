#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace retrial::data::inline files {

/// A file that scripts/setup fetched: .deps/NAME of the tree in which this program was built, found upwards from the
/// program itself, so that no path of a machine is compiled in. Nothing for a program that was installed elsewhere.
[[nodiscard]] std::optional<std::filesystem::path> found_by_setup(const std::string& name);

}  // namespace retrial::data::inline files
