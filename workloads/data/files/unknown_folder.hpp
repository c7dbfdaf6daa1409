#pragma once

#include <filesystem>

namespace retrial::data::inline files {

/// True if the files are those of CIFAR's Python version, which are pickles and cannot be read.
[[nodiscard]] bool holds_python_version(const std::filesystem::path& folder);

/// Error{incomparable}: a folder without a file of any known set. The help says what to do about the Python version and
/// about an archive that has not been unpacked.
[[noreturn]] void refuse_unknown_folder(const std::filesystem::path& folder);

}  // namespace retrial::data::inline files
