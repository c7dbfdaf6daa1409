#pragma once

#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// One file of a set as it is published; `suffix` is what its name has behind the name that was asked for.
struct RecordFile {
  std::string suffix, bytes;
};
/// The images in the format in which the set named `origin` is read (registry.hpp): cifar10 and cifar100 records of
/// labels and planes; mnist and fashion IDX, labels beside it ("-labels"); cifar10.1 NPY, the same; digits a line of
/// numbers an image, pixels, then label. Bytes are written as they are, so their scale is the set's. Throws
/// std::logic_error for an origin without a format.
[[nodiscard]] std::vector<RecordFile> records_of(const std::string& origin, const ImageSet& set);

}  // namespace retrial::data::inline formats
