#pragma once

#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"

namespace retrial::harness::inline images {

/// Keys of the folders that corruptions need, for --set.
[[nodiscard]] std::vector<std::string> corrupt_folders();

/// `retrial data corrupt`: the test part of a data set under one corruption, as a file in the format of the set or as a
/// contact sheet.
int corrupt_images(const Arguments& arguments);

}  // namespace retrial::harness::inline images
