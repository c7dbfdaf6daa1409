#include "workloads/data/images/filters.hpp"
#include "workloads/data/operators/operators.hpp"

namespace retrial::corrupt::blur {
namespace {

int one_up_or_none(variance::Stream& draws) {
  return variance::uniform_open(draws.next()) < .5 ? -1 : 0;
}

/// A copy, not a swap: both sides of the published "swap" refer to the same memory.
void shuffle(Image& image, int delta, variance::Stream& draws) {
  const auto [channels, height, width] = image.shape;
  for (int y = height - delta; y > delta; --y)
    for (int x = width - delta; x > delta; --x) {
      const int dx = one_up_or_none(draws), dy = one_up_or_none(draws);
      for (int c = 0; c < channels; ++c) image.plane(c)[y * width + x] = image.plane(c)[(y + dy) * width + x + dx];
    }
}

}  // namespace

Image gaussian(const Image& image, const Constants& c, variance::Stream&) {
  return filtered(image, {.sigma = c[0]});
}

Image defocus(const Image& image, const Constants& c, variance::Stream&) {
  return correlated(image, disk_kernel(c[0], c[1]), Border::reflect101);
}

Image glass(const Image& image, const Constants& c, variance::Stream& draws) {
  Image shuffled = filtered(image, {.sigma = c[0]});
  truncate_to_bytes(shuffled);
  for (int i = 0; i < static_cast<int>(c[2]); ++i) shuffle(shuffled, static_cast<int>(c[1]), draws);
  return filtered(shuffled, {.sigma = c[0]});
}

Image motion(const Image& image, const Constants& c, variance::Stream& draws) {
  const double degrees = -45 + 90 * variance::uniform_open(draws.next());
  return moved(image, motion_weights(static_cast<int>(c[0]), c[1]), degrees);
}

Image zoom(const Image& image, const Constants& c, variance::Stream&) {
  // np.arange(1, max, .01) adds i times the difference of its first two values: 1.2500000000000002 at i = 25.
  constexpr double step = (1 + .01) - 1;
  const int zooms = static_cast<int>(c[0]);
  Image sum = image;
  for (int i = 0; i < zooms; ++i) {
    const Image closer = zoomed(image, 1 + i * step);
    for (std::size_t v = 0; v < sum.values.size(); ++v) sum.values[v] += closer.values[v];
  }
  for (double& x : sum.values) x /= zooms + 1;
  return sum;
}

}  // namespace retrial::corrupt::blur
