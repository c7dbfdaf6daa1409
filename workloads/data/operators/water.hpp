#pragma once

#include "workloads/data/images/image.hpp"

namespace retrial::corrupt {

/// The highlights of water drops, 0 to `max`, from a layer that holds the drops: edges of the layer in bytes (50, 150),
/// the distance to them cut at 20, smoothed, equalised, embossed with (-2 -1 0; -1 1 1; 0 1 2), smoothed, times the
/// layer. No highlights where the layer is empty. The steps are those of the published operator, with our own
/// definitions (exact distances, whole numbers), so its bytes are not reproduced.
[[nodiscard]] Image water(const Image& layer, double max);

}  // namespace retrial::corrupt
