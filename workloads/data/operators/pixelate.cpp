#include <algorithm>
#include <cmath>

#include "workloads/data/files/rational.hpp"
#include "workloads/data/operators/operators.hpp"

namespace retrial::corrupt::digital {
namespace {

constexpr int fraction_bits = 22;

/// The source pixels of one pixel of a resized line: the same share of each, in 22 fractional bits.
struct Window {
  int first = 0, count = 0;
  std::int64_t share = 0;
};

std::vector<Window> windows(int from, int to) {
  const double scale = static_cast<double>(from) / to, wide = std::max(scale, 1.0), support = .5 * wide;
  std::vector<Window> found;
  for (int i = 0; i < to; ++i) {
    const double centre = (i + .5) * scale;
    const int low = std::max(0, static_cast<int>(std::floor(centre - support + .5)));
    const int high = std::min(from, static_cast<int>(std::floor(centre + support + .5)));
    Window window{low, 0, 0};
    for (int k = low; k < high; ++k) {
      const double place = (k - centre + .5) / wide;
      const bool inside = place > -.5 && place <= .5;
      if (inside && window.count == 0) window.first = k;
      window.count += inside ? 1 : 0;
    }
    window.share = static_cast<std::int64_t>(std::floor(1.0 / window.count * (1 << fraction_bits) + .5));
    found.push_back(window);
  }
  return found;
}

std::uint8_t averaged(const std::uint8_t* from, std::size_t stride, const Window& window) {
  std::int64_t sum = std::int64_t{1} << (fraction_bits - 1);
  for (int k = 0; k < window.count; ++k)
    sum += from[static_cast<std::size_t>(window.first + k) * stride] * window.share;
  return static_cast<std::uint8_t>(std::min<std::int64_t>(sum >> fraction_bits, 255));
}

using Bytes = std::vector<std::uint8_t>;

/// One plane of height x width, rows first.
Bytes resized(const Bytes& plane, int height, int width, int new_height, int new_width) {
  const auto along = windows(width, new_width), down = windows(height, new_height);
  Bytes rows, both;
  for (int y = 0; y < height; ++y)
    for (const Window& window : along) rows.push_back(averaged(plane.data() + y * width, 1, window));
  for (const Window& window : down)
    for (int x = 0; x < new_width; ++x)
      both.push_back(averaged(rows.data() + x, static_cast<std::size_t>(new_width), window));
  return both;
}

}  // namespace

Image pixelate(const Image& image, const Constants& c, variance::Stream&) {
  const auto [channels, height, width] = image.shape;
  const auto fewer = [&](int side) { return std::max(1, static_cast<int>(data::floor_of_share(c[0], side))); };
  const int new_height = fewer(height), new_width = fewer(width);
  Image result = image;
  for (int channel = 0; channel < channels; ++channel) {
    Bytes plane(image.plane_size());
    std::transform(image.plane(channel), image.plane(channel) + plane.size(), plane.begin(), byte_of);
    const Bytes small = resized(plane, height, width, new_height, new_width);
    const Bytes back = resized(small, new_height, new_width, height, width);
    std::transform(back.begin(), back.end(), result.plane(channel), [](std::uint8_t v) { return v / 255.0; });
  }
  return result;
}

}  // namespace retrial::corrupt::digital
