#pragma once

#include <filesystem>

namespace retrial::data::inline files {

/// True where the files are those of CIFAR's Python version, which are pickles and are not read.
[[nodiscard]] bool holds_python_version(const std::filesystem::path& folder);

/// Error{incomparable}: a folder without a file of any known set, with what to do where its files are known to be of
/// another form: the Python version, an archive that has not been unpacked.
[[noreturn]] void refuse_unknown_folder(const std::filesystem::path& folder);

}  // namespace retrial::data::inline files
