#include "workloads/data/operators/water.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "workloads/data/images/filters.hpp"

namespace retrial::corrupt {
namespace {

/// A plane of bytes or whole numbers.
struct Plane {
  int height = 0, width = 0;
  std::vector<int> values;
  [[nodiscard]] int at(int y, int x) const { return values[static_cast<std::size_t>(y * width + x)]; }
};

using Kernel = std::array<int, 9>;
constexpr Kernel sobel_x{-1, 0, 1, -2, 0, 2, -1, 0, 1}, sobel_y{-1, -2, -1, 0, 0, 0, 1, 2, 1};
constexpr Kernel emboss{-2, -1, 0, -1, 1, 1, 0, 1, 2}, box{1, 1, 1, 1, 1, 1, 1, 1, 1};

Plane like(const Plane& plane, int value) {
  return {plane.height, plane.width, std::vector<int>(plane.values.size(), value)};
}

template <typename Value>
Plane made(const Plane& shape, Value&& value) {
  Plane plane = like(shape, 0);
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) plane.values[static_cast<std::size_t>(y * shape.width + x)] = value(y, x);
  return plane;
}

Plane correlated(const Plane& plane, const Kernel& kernel, Border border) {
  return made(plane, [&](int y, int x) {
    int sum = 0;
    for (int tap = 0; tap < 9; ++tap)
      sum += kernel[static_cast<std::size_t>(tap)] *
             plane.at(inside(y + tap / 3 - 1, plane.height, border), inside(x + tap % 3 - 1, plane.width, border));
    return sum;
  });
}

/// Whether the gradient at (y, x) is the largest along its direction. Directions change at 22.5 and 67.5 degrees; their
/// tangents are 13573 / 2^15 and 2 more than that.
bool is_ridge(const Plane& size, const Plane& gx, const Plane& gy, int y, int x) {
  const auto other = [&](int dy, int dx) {
    const bool there = y + dy >= 0 && y + dy < size.height && x + dx >= 0 && x + dx < size.width;
    return there ? size.at(y + dy, x + dx) : 0;
  };
  const int here = size.at(y, x), along = std::abs(gx.at(y, x)), down = std::abs(gy.at(y, x)) << 15;
  const int flat = along * 13573, steep = flat + (along << 16);
  if (down < flat) return here > other(0, -1) && here >= other(0, 1);
  if (down > steep) return here > other(-1, 0) && here >= other(1, 0);
  const int slant = (gx.at(y, x) < 0) == (gy.at(y, x) < 0) ? 1 : -1;
  return here > other(-1, -slant) && here > other(1, slant);
}

/// Adds weak pixels that touch an edge to the edges, until none is left.
void join(Plane& edge, const Plane& weak) {
  for (bool grown = true; grown;) {
    grown = false;
    const Plane near = correlated(edge, box, Border::replicate);
    for (std::size_t i = 0; i < edge.values.size(); ++i)
      if (edge.values[i] == 0 && weak.values[i] == 1 && near.values[i] > 0) edge.values[i] = 1, grown = true;
  }
}

/// Mean of nine, rounded; `distance` may be fractional.
Plane smoothed(const Plane& plane) {
  Plane sums = correlated(plane, box, Border::reflect101);
  for (int& v : sums.values) v = (v + 4) / 9;
  return sums;
}

/// Squared distance to the nearest edge; -1 if the plane has none.
Plane squared_distance(const Plane& edge) {
  std::vector<std::pair<int, int>> places;
  for (int y = 0; y < edge.height; ++y)
    for (int x = 0; x < edge.width; ++x)
      if (edge.at(y, x) == 1) places.emplace_back(y, x);
  return made(edge, [&](int y, int x) {
    int nearest = -1;
    for (const auto& [ey, ex] : places) {
      const int square = (y - ey) * (y - ey) + (x - ex) * (x - ex);
      if (nearest < 0 || square < nearest) nearest = square;
    }
    return nearest;
  });
}

Plane cut_distances(const Plane& edge) {
  Image distance = layer_of({1, edge.height, edge.width});
  const Plane squares = squared_distance(edge);
  for (std::size_t i = 0; i < squares.values.size(); ++i) {
    const int square = squares.values[i];
    distance.values[i] = square < 0 ? 20.0 : std::min(20.0, std::sqrt(static_cast<double>(square)));
  }
  const Image mean = correlated(distance, std::vector<double>(9, 1.0), Border::reflect101);
  return made(edge, [&](int y, int x) {
    return static_cast<int>(mean.values[static_cast<std::size_t>(y * edge.width + x)] / 9.0);
  });
}

/// Canny 1986 with Sobel gradients (border replicated, |gx| + |gy|): 1 on edges, 0 elsewhere. Thinned along the
/// gradient in four directions; an edge above `high`, or above `low` if one of its eight neighbors is connected to an
/// edge.
Plane edges(const Plane& grey, int low, int high) {
  const Plane gx = correlated(grey, sobel_x, Border::replicate), gy = correlated(grey, sobel_y, Border::replicate);
  const Plane size = made(grey, [&](int y, int x) { return std::abs(gx.at(y, x)) + std::abs(gy.at(y, x)); });
  const auto above = [&](int threshold) {
    return made(grey, [&](int y, int x) { return size.at(y, x) > threshold && is_ridge(size, gx, gy, y, x) ? 1 : 0; });
  };
  Plane edge = above(high);
  join(edge, above(low));
  return edge;
}

/// A histogram made flat: cumulative counts without the lowest occupied gray, scaled to 255, rounded half up.
Plane equalised(const Plane& grey) {
  std::array<int, 256> counts{};
  for (const int v : grey.values) ++counts[static_cast<std::size_t>(v)];
  const auto lowest = std::find_if(counts.begin(), counts.end(), [](int n) { return n > 0; });
  const int others = static_cast<int>(grey.values.size()) - *lowest;
  if (others == 0) return grey;
  std::array<int, 256> flat{};
  int sum = 0;
  for (auto at = static_cast<std::size_t>(lowest - counts.begin()) + 1; at < flat.size(); ++at) {
    sum += counts[at];
    flat[at] = (2 * sum * 255 + others) / (2 * others);
  }
  Plane result = grey;
  for (int& v : result.values) v = flat[static_cast<std::size_t>(v)];
  return result;
}

}  // namespace

Image water(const Image& layer, double max) {
  Plane bytes{layer.shape.height, layer.shape.width, {}};
  for (const double x : layer.values) bytes.values.push_back(byte_of(x));
  Plane relief = correlated(equalised(cut_distances(edges(bytes, 50, 150))), emboss, Border::reflect101);
  for (int& v : relief.values) v = std::clamp(v, 0, 255);
  relief = smoothed(relief);
  Image shine = layer_of(layer.shape);
  for (std::size_t i = 0; i < shine.values.size(); ++i)
    shine.values[i] = static_cast<double>(bytes.values[i] * relief.values[i]);
  const double brightest = *std::max_element(shine.values.begin(), shine.values.end());
  for (double& x : shine.values) x = brightest > 0 ? x / brightest * max : 0.0;
  return shine;
}

}  // namespace retrial::corrupt
