#include <algorithm>
#include <array>

#include "workloads/data/images/filters.hpp"
#include "workloads/data/operators/operators.hpp"

namespace retrial::corrupt::digital {
namespace {

struct Point {
  double x = 0, y = 0;
};

double between(variance::Stream& draws, double reach) {
  return reach * (2 * variance::uniform_open(draws.next()) - 1);
}

/// x' = a x + b y + c, y' = d x + e y + f through three pairs of points, by Cramer's rule.
struct Affine {
  double a, b, c, d, e, f;
  [[nodiscard]] Point of(double x, double y) const { return {a * x + b * y + c, d * x + e * y + f}; }
};
Affine through(const std::array<Point, 3>& from, const std::array<Point, 3>& to) {
  const double x1 = from[1].x - from[0].x, y1 = from[1].y - from[0].y;
  const double x2 = from[2].x - from[0].x, y2 = from[2].y - from[0].y;
  const double area = x1 * y2 - x2 * y1;
  const auto row = [&](double p0, double p1, double p2) {
    const double a = ((p1 - p0) * y2 - (p2 - p0) * y1) / area, b = ((p2 - p0) * x1 - (p1 - p0) * x2) / area;
    return std::array<double, 3>{a, b, p0 - a * from[0].x - b * from[0].y};
  };
  const auto x = row(to[0].x, to[1].x, to[2].x), y = row(to[0].y, to[1].y, to[2].y);
  return {x[0], x[1], x[2], y[0], y[1], y[2]};
}

/// Every output pixel reads at `place(y, x)`.
template <typename Place>
Image sampled(const Image& image, Border border, Place&& place) {
  Image result = image;
  for (int y = 0; y < image.shape.height; ++y)
    for (int x = 0; x < image.shape.width; ++x) {
      const Point from = place(y, x);
      for (int c = 0; c < image.shape.channels; ++c)
        result.plane(c)[y * image.shape.width + x] = bilinear(image, c, from.y, from.x, border);
    }
  return result;
}

Image tilted(const Image& image, double reach, variance::Stream& draws) {
  const int size = std::min(image.shape.height, image.shape.width) / 3;
  const double x = image.shape.width / 2, y = image.shape.height / 2;  // NOLINT: whole pixels
  const std::array<Point, 3> anchors{{{x + size, y + size}, {x + size, y - size}, {x - size, y - size}}};
  std::array<Point, 3> gone = anchors;
  for (Point& anchor : gone) {
    anchor.x += between(draws, reach);
    anchor.y += between(draws, reach);
  }
  const Affine back = through(gone, anchors);
  return sampled(image, Border::reflect101, [&](int row, int column) { return back.of(column, row); });
}

Image field(const Image& image, double reach, double sigma, variance::Stream& draws) {
  Image displacement = layer_of(image.shape);
  displacement.for_each([&](double& d) { d = between(draws, 1); });
  displacement = filtered(displacement, {.sigma = sigma, .truncate = 3, .border = Border::symmetric});
  for (double& d : displacement.values) d *= reach;
  return displacement;
}

}  // namespace

Image elastic(const Image& image, const Constants& c, variance::Stream& draws) {
  const double side = std::min(image.shape.height, image.shape.width);
  const Image turned = tilted(image, c[2] * side, draws);
  const Image dx = field(image, c[0] * side, c[1] * side, draws), dy = field(image, c[0] * side, c[1] * side, draws);
  return sampled(turned, Border::symmetric, [&](int y, int x) {
    const auto i = static_cast<std::size_t>(y * image.shape.width + x);
    return Point{x + dx.values[i], y + dy.values[i]};
  });
}

}  // namespace retrial::corrupt::digital
