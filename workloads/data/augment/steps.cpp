#include "workloads/data/augment/steps.hpp"

#include <algorithm>
#include <cmath>

#include "workloads/data/augment/augment.hpp"

namespace retrial::data::inline augment {
namespace {

/// The pixel of one plane, 0 outside.
double value_at(const Shape& shape, const float* plane, int y, int x) {
  const bool inside = y >= 0 && y < shape.height && x >= 0 && x < shape.width;
  return inside ? static_cast<double>(plane[y * shape.width + x]) : 0.0;
}

double between(const Shape& shape, const float* plane, double y, double x) {
  const double top = std::floor(y), left = std::floor(x), down = y - top, right = x - left;
  const int row = static_cast<int>(top), column = static_cast<int>(left);
  const double upper =
                   (1 - right) * value_at(shape, plane, row, column) + right * value_at(shape, plane, row, column + 1),
               lower = (1 - right) * value_at(shape, plane, row + 1, column) +
                       right * value_at(shape, plane, row + 1, column + 1);
  return (1 - down) * upper + down * lower;
}

}  // namespace

void shift(const Shape& shape, const std::uint8_t* from, std::uint8_t* to, int dy, int dx) {
  std::fill_n(to, shape.pixels(), std::uint8_t{0});
  const int top = std::max(0, dy), bottom = std::min(shape.height, shape.height + dy);
  const int left = std::max(0, dx), right = std::min(shape.width, shape.width + dx);
  for (int c = 0; c < shape.channels; ++c)
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x)
        to[(c * shape.height + y) * shape.width + x] = from[(c * shape.height + y - dy) * shape.width + x - dx];
}

void shift(const Shape& shape, const float* from, float* to, double dy, double dx) {
  for (int c = 0; c < shape.channels; ++c, from += shape.height * shape.width)
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) *to++ = static_cast<float>(between(shape, from, y - dy, x - dx));
}

void flip(const Shape& shape, std::uint8_t* image) {
  for (int row = 0; row < shape.channels * shape.height; ++row, image += shape.width)
    std::reverse(image, image + shape.width);
}

namespace steps {

void shift1(const photo::Picture& picture, variance::Stream& draws) {
  const int dy = static_cast<int>(variance::bounded(draws.next(), 3)) - 1;
  const int dx = static_cast<int>(variance::bounded(draws.next(), 3)) - 1;
  shift(picture.shape, picture.from, picture.to, dy, dx);
}

void crop_flip(const photo::Picture& picture, variance::Stream& draws) {
  constexpr int margin = 4;
  const int dy = static_cast<int>(variance::bounded(draws.next(), 2 * margin + 1));
  const int dx = static_cast<int>(variance::bounded(draws.next(), 2 * margin + 1));
  shift(picture.shape, picture.from, picture.to, margin - dy, margin - dx);
  if (variance::bounded(draws.next(), 2) == 1) flip(picture.shape, picture.to);
}

void autoaugment_both(const photo::Picture& picture, variance::Stream& draws) {
  autoaugment(picture, draws, RotateSign::both);
}

void autoaugment_positive(const photo::Picture& picture, variance::Stream& draws) {
  autoaugment(picture, draws, RotateSign::positive);
}

void subpixel(const Shape& shape, const float* from, float* to, variance::Stream& draws) {
  constexpr double farthest = .5;
  const double dy = variance::uniform(draws.next(), -farthest, farthest);
  const double dx = variance::uniform(draws.next(), -farthest, farthest);
  shift(shape, from, to, dy, dx);
}

void noise(const Shape& shape, const float* from, float* to, variance::Stream& draws) {
  constexpr double deviation = .1;
  std::transform(from, from + shape.pixels(), to, [&](float value) {
    const double noisy = static_cast<double>(value) + deviation * variance::normal(draws.next());
    return static_cast<float>(std::clamp(noisy, 0.0, 1.0));
  });
}

}  // namespace steps
}  // namespace retrial::data::inline augment
