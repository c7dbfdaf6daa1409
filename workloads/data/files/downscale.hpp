#pragma once

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline files {

/// Every k x k block of bytes becomes floor((sum + k^2/2) / k^2). k = 1 changes nothing; InvalidInput("downscale")
/// unless k is 1, 2 or 4 and divides both sides. Names, files, labels and division do not change.
[[nodiscard]] ImageSet downscaled(ImageSet set, int k);

}  // namespace retrial::data::inline files
