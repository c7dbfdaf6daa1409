#pragma once

#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// One file of a set in its published format; its name is the requested name followed by `suffix`.
struct RecordFile {
  std::string suffix, bytes;
};
/// The images in the format of the set named `origin` (registry.hpp): cifar10 and cifar100 records of labels and
/// planes; mnist and fashion IDX, with a second file of labels ("-labels"); cifar10.1 the same as NPY; digits one line
/// of numbers per image, pixels, then label. Bytes are written unchanged, so their scale is the set's. Throws
/// std::logic_error for an origin without a format.
[[nodiscard]] std::vector<RecordFile> records_of(const std::string& origin, const ImageSet& set);

}  // namespace retrial::data::inline formats
