#pragma once

#include <cstdint>
#include <vector>

#include "workloads/data/corrupt/image.hpp"

namespace retrial::corrupt {

/// The highlights of water drops, 0 to `max`, from a layer that holds the drops: edges of the layer in bytes (50, 150),
/// the distance to them cut at 20, smoothed, equalised, embossed with (-2 -1 0; -1 1 1; 0 1 2), smoothed, times the
/// layer. No highlights where the layer is empty. The steps are those of the published operator, with our own
/// definitions (exact distances, whole numbers), so its bytes are not reproduced.
[[nodiscard]] Image water(const Image& layer, double max);

/// A plane of bytes or whole numbers.
struct Plane {
  int height = 0, width = 0;
  std::vector<int> values;
  [[nodiscard]] int at(int y, int x) const { return values[static_cast<std::size_t>(y * width + x)]; }
};
/// Canny 1986 with Sobel gradients (border replicated, |gx| + |gy|): 1 on edges, 0 elsewhere. Thinned along the
/// gradient in four directions; an edge above `high`, or above `low` if one of its eight neighbors is connected to an
/// edge.
[[nodiscard]] Plane edges(const Plane& grey, int low, int high);
/// Squared distance to the nearest edge; -1 if the plane has none.
[[nodiscard]] Plane squared_distance(const Plane& edge);
/// A histogram made flat: cumulative counts without the lowest occupied gray, scaled to 255, rounded half up.
[[nodiscard]] Plane equalised(const Plane& grey);

}  // namespace retrial::corrupt
