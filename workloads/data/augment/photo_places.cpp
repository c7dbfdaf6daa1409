#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "workloads/data/augment/photo.hpp"

namespace retrial::data::inline augment::photo {
namespace {

constexpr std::uint8_t outside = 128;

/// Calls value(plane, u, v) for every output pixel whose place is inside the image.
template <typename Value>
void transform(const Picture& picture, const Affine& map, Value&& value) {
  const Shape& shape = picture.shape;
  const std::size_t plane = static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
  std::size_t at = 0;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x, ++at) {
      const double u = map.a * (x + .5) + map.b * (y + .5) + map.c, v = map.d * (x + .5) + map.e * (y + .5) + map.f;
      const bool inside = u >= 0 && u < shape.width && v >= 0 && v < shape.height;
      for (std::size_t c = 0; c < static_cast<std::size_t>(shape.channels); ++c)
        picture.to[c * plane + at] = inside ? value(picture.from + c * plane, u, v) : outside;
    }
}

/// Through the four values at -1, 0, 1 and 2, at t in [0, 1).
double cubic(double v1, double v2, double v3, double v4, double t) {
  return v2 + t * ((-v1 + v3) + t * ((2 * (v1 - v2) + v3 - v4) + t * (-v1 + v2 - v3 + v4)));
}

double cubic_row(const std::uint8_t* row, int width, int left, double t) {
  const auto tap = [&](int x) { return static_cast<double>(row[std::clamp(x, 0, width - 1)]); };
  return cubic(tap(left - 1), tap(left), tap(left + 1), tap(left + 2), t);
}

std::uint8_t bicubic_at(const Shape& shape, const std::uint8_t* plane, double u, double v) {
  const double left = std::floor(u), top = std::floor(v);
  const auto row = [&](int y) {
    return cubic_row(plane + static_cast<std::ptrdiff_t>(y) * shape.width, shape.width, static_cast<int>(left),
                     u - left);
  };
  const int first = static_cast<int>(top) - 1;
  std::array<double, 4> rows{};
  rows[0] = row(std::clamp(first, 0, shape.height - 1));
  for (int i = 1; i < 4; ++i) {
    const int y = first + i;
    rows[static_cast<std::size_t>(i)] = y >= 0 && y < shape.height ? row(y) : rows[static_cast<std::size_t>(i - 1)];
  }
  return static_cast<std::uint8_t>(std::clamp(cubic(rows[0], rows[1], rows[2], rows[3], v - top), 0.0, 255.0));
}

constexpr int fraction_bits = 16;

std::int64_t fixed(double value) {
  return static_cast<std::int64_t>(std::floor(value * (1 << fraction_bits) + .5));
}

double rounded15(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 15).ptr;
  double rounded = 0;
  std::from_chars(text.data(), end, rounded);
  return rounded;
}

}  // namespace

void nearest(const Picture& picture, const Affine& map) {
  const int width = picture.shape.width;
  transform(picture, map, [&](const std::uint8_t* plane, double u, double v) {
    return plane[static_cast<int>(v) * width + static_cast<int>(u)];
  });
}

void nearest_fixed(const Picture& picture, const Affine& map) {
  const Shape& shape = picture.shape;
  const std::size_t plane = static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
  const std::int64_t first_u = fixed(map.c + map.a * .5 + map.b * .5), first_v = fixed(map.f + map.d * .5 + map.e * .5);
  std::size_t at = 0;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x, ++at) {
      const std::int64_t u = (first_u + x * fixed(map.a) + y * fixed(map.b)) >> fraction_bits,
                         v = (first_v + x * fixed(map.d) + y * fixed(map.e)) >> fraction_bits;
      const bool inside = u >= 0 && u < shape.width && v >= 0 && v < shape.height;
      for (std::size_t c = 0; c < static_cast<std::size_t>(shape.channels); ++c)
        picture.to[c * plane + at] =
            inside ? picture.from[c * plane + static_cast<std::size_t>(v * shape.width + u)] : outside;
    }
}

void bicubic(const Picture& picture, const Affine& map) {
  transform(picture, map, [&](const std::uint8_t* plane, double u, double v) {
    return bicubic_at(picture.shape, plane, u - .5, v - .5);
  });
}

Affine rotation(const Shape& shape, double degrees) {
  const double radians = -degrees * (std::numbers::pi / 180);
  const double cosine = rounded15(std::cos(radians)), sine = rounded15(std::sin(radians));
  const double x = shape.width / 2.0, y = shape.height / 2.0;
  Affine map{.a = cosine, .b = sine, .d = -sine, .e = cosine};
  map.c = -map.a * x - map.b * y + x;
  map.f = -map.d * x - map.e * y + y;
  return map;
}

}  // namespace retrial::data::inline augment::photo
