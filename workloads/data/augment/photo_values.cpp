#include <algorithm>
#include <array>
#include <utility>

#include "workloads/data/augment/photo.hpp"

namespace retrial::data::inline augment::photo {
namespace {

using Lookup = std::array<std::uint8_t, 256>;

std::size_t plane_of(const Shape& shape) {
  return static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
}

template <typename Value>
Lookup table_of(Value&& value) {
  Lookup table;
  for (int v = 0; v < 256; ++v) table[static_cast<std::size_t>(v)] = static_cast<std::uint8_t>(value(v));
  return table;
}

void look_up(const Picture& picture, const Lookup& table) {
  std::transform(picture.from, picture.from + picture.shape.pixels(), picture.to,
                 [&](std::uint8_t v) { return table[v]; });
}

using Histogram = std::array<std::uint32_t, 256>;

Histogram histogram_of(const std::uint8_t* plane, std::size_t size) {
  Histogram counts{};
  for (std::size_t i = 0; i < size; ++i) ++counts[plane[i]];
  return counts;
}

/// One table per channel, made from its histogram.
template <typename Make>
void look_up_channels(const Picture& picture, Make&& make) {
  const std::size_t plane = plane_of(picture.shape);
  for (std::size_t at = 0; at < picture.shape.pixels(); at += plane) {
    const Lookup table = make(histogram_of(picture.from + at, plane));
    std::transform(picture.from + at, picture.from + at + plane, picture.to + at,
                   [&](std::uint8_t v) { return table[v]; });
  }
}

Lookup identity_table() {
  return table_of([](int v) { return v; });
}

Lookup stretched(const Histogram& counts) {
  const auto first = std::find_if(counts.begin(), counts.end(), [](std::uint32_t n) { return n > 0; });
  const auto last = std::find_if(counts.rbegin(), counts.rend(), [](std::uint32_t n) { return n > 0; });
  const auto low = static_cast<int>(first - counts.begin()), high = static_cast<int>(counts.rend() - last) - 1;
  if (high <= low) return identity_table();
  const double scale = 255.0 / (high - low), offset = -low * scale;
  return table_of([&](int v) { return std::clamp(static_cast<int>(v * scale + offset), 0, 255); });
}

Lookup flattened(const Histogram& counts) {
  const auto filled = std::count_if(counts.begin(), counts.end(), [](std::uint32_t n) { return n > 0; });
  if (filled <= 1) return identity_table();
  std::uint32_t total = 0, last = 0;
  for (const std::uint32_t n : counts) {
    total += n;
    if (n > 0) last = n;
  }
  const std::uint32_t step = (total - last) / 255;
  if (step == 0) return identity_table();
  std::uint32_t n = step / 2;
  return table_of(
      [&](int v) { return std::min(255U, std::exchange(n, n + counts[static_cast<std::size_t>(v)]) / step); });
}

std::uint8_t grey(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  return static_cast<std::uint8_t>((19595U * red + 38470U * green + 7471U * blue + 32768U) >> 16);
}

std::uint8_t blend(std::uint8_t degenerate, std::uint8_t value, float factor) {
  const float mixed = static_cast<float>(degenerate) +
                      factor * static_cast<float>(static_cast<int>(value) - static_cast<int>(degenerate));
  return static_cast<std::uint8_t>(std::clamp(mixed, 0.0F, 255.0F));
}

std::uint8_t smoothed(const std::uint8_t* centre, std::ptrdiff_t width) {
  unsigned sum = 4U * *centre;
  for (std::ptrdiff_t y = -1; y <= 1; ++y)
    for (std::ptrdiff_t x = -1; x <= 1; ++x) sum += centre[y * width + x];
  return static_cast<std::uint8_t>((sum + 6) / 13);
}

}  // namespace

void copy(const Picture& picture) {
  std::copy_n(picture.from, picture.shape.pixels(), picture.to);
}

void invert(const Picture& picture) {
  look_up(picture, table_of([](int v) { return 255 - v; }));
}

void solarize(const Picture& picture, double threshold) {
  look_up(picture, table_of([&](int v) { return v < threshold ? v : 255 - v; }));
}

void posterize(const Picture& picture, int bits) {
  const int mask = ~((1 << (8 - bits)) - 1);
  look_up(picture, table_of([&](int v) { return v & mask; }));
}

void autocontrast(const Picture& picture) {
  look_up_channels(picture, stretched);
}

void equalize(const Picture& picture) {
  look_up_channels(picture, flattened);
}

void color(const Picture& picture, float factor) {
  const std::size_t plane = plane_of(picture.shape);
  for (std::size_t i = 0; i < plane; ++i) {
    const std::uint8_t* x = picture.from + i;
    const std::uint8_t level = grey(x[0], x[plane], x[2 * plane]);
    for (std::size_t c = 0; c < 3; ++c) picture.to[i + c * plane] = blend(level, x[c * plane], factor);
  }
}

std::uint8_t mean_grey(const Shape& shape, const std::uint8_t* image) {
  const std::size_t plane = plane_of(shape);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < plane; ++i) sum += grey(image[i], image[i + plane], image[i + 2 * plane]);
  return static_cast<std::uint8_t>((2 * sum + plane) / (2 * plane));
}

void contrast(const Picture& picture, float factor) {
  const std::uint8_t level = mean_grey(picture.shape, picture.from);
  look_up(picture, table_of([&](int v) { return blend(level, static_cast<std::uint8_t>(v), factor); }));
}

void brightness(const Picture& picture, float factor) {
  look_up(picture, table_of([&](int v) { return blend(0, static_cast<std::uint8_t>(v), factor); }));
}

void sharpness(const Picture& picture, float factor) {
  const int height = picture.shape.height, width = picture.shape.width;
  std::size_t at = 0;
  for (int c = 0; c < picture.shape.channels; ++c)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x, ++at) {
        const bool border = y == 0 || x == 0 || y == height - 1 || x == width - 1;
        const std::uint8_t value = picture.from[at];
        picture.to[at] = blend(border ? value : smoothed(picture.from + at, width), value, factor);
      }
}

}  // namespace retrial::data::inline augment::photo
