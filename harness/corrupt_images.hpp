#pragma once

#include "harness/arguments.hpp"

namespace retrial::harness {

/// `retrial data corrupt`: the test part of a set under one corruption, as a file in the format of the set, or as a
/// contact sheet.
int corrupt_images(const Arguments& arguments);

}  // namespace retrial::harness
