#include "workloads/data/files/downscale.hpp"

#include "variance/numbers/error.hpp"

namespace retrial::data::inline files {
namespace {

unsigned block_mean(const std::uint8_t* corner, std::size_t width, unsigned k) {
  unsigned sum = 0;
  for (unsigned y = 0; y < k; ++y)
    for (unsigned x = 0; x < k; ++x) sum += corner[y * width + x];
  return (sum + k * k / 2) / (k * k);
}

}  // namespace

ImageSet downscaled(ImageSet set, int k) {
  const bool known = k == 1 || k == 2 || k == 4;
  if (!known || set.shape.height % k != 0 || set.shape.width % k != 0)
    throw InvalidInput("downscale", std::to_string(k),
                       "1, 2 or 4, dividing the sides of " + std::to_string(set.shape.height) + " x " +
                           std::to_string(set.shape.width));
  if (k == 1) return set;
  const auto step = static_cast<unsigned>(k);
  const auto width = static_cast<std::size_t>(set.shape.width);
  const std::size_t rows = set.pixels.size() / width;  // rows of all planes of all images, stacked
  std::size_t to = 0;
  for (std::size_t y = 0; y < rows; y += step)
    for (std::size_t x = 0; x < width; x += step)
      set.pixels[to++] = static_cast<std::uint8_t>(block_mean(set.pixels.data() + y * width + x, width, step));
  set.pixels.resize(to);
  set.shape.height /= k;
  set.shape.width /= k;
  return set;
}

}  // namespace retrial::data::inline files
