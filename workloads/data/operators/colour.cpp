#include <algorithm>
#include <cmath>

#include "workloads/data/operators/operators.hpp"

namespace retrial::corrupt::colour {
namespace {

struct Hsv {
  double hue = 0;  ///< in sixths, 0 to 6; 0 for grays
  double saturation = 0, value = 0;
};
struct Rgb {
  double red, green, blue;
};

Hsv hsv_of(const Rgb& c) {
  const double max = std::max({c.red, c.green, c.blue}), spread = max - std::min({c.red, c.green, c.blue});
  if (spread == 0) return {0, 0, max};
  double hue = 0;
  if (c.red == max)
    hue = (c.green - c.blue) / spread;
  else if (c.green == max)
    hue = 2 + (c.blue - c.red) / spread;
  else
    hue = 4 + (c.red - c.green) / spread;
  return {hue < 0 ? hue + 6 : hue, spread / max, max};
}

Rgb rgb_of(const Hsv& c) {
  const double sextant = std::floor(c.hue), f = c.hue - sextant;
  const double p = c.value * (1 - c.saturation), q = c.value * (1 - f * c.saturation),
               t = c.value * (1 - (1 - f) * c.saturation);
  switch (static_cast<int>(sextant) % 6) {
    case 0:
      return {c.value, t, p};
    case 1:
      return {q, c.value, p};
    case 2:
      return {p, c.value, t};
    case 3:
      return {p, q, c.value};
    case 4:
      return {t, p, c.value};
    default:
      return {c.value, p, q};
  }
}

template <typename Change>
Image through_hsv(const Image& image, Change&& change) {
  Image changed = image;
  double *red = changed.plane(0), *green = changed.plane(1), *blue = changed.plane(2);
  for (std::size_t i = 0; i < image.plane_size(); ++i) {
    Hsv pixel = hsv_of({red[i], green[i], blue[i]});
    change(pixel);
    const Rgb back = rgb_of(pixel);
    red[i] = back.red, green[i] = back.green, blue[i] = back.blue;
  }
  return changed;
}

}  // namespace

Image brightness(const Image& image, const Constants& c, variance::Stream&) {
  if (image.shape.channels == 3)
    return through_hsv(image, [&](Hsv& pixel) { pixel.value = std::clamp(pixel.value + c[0], 0.0, 1.0); });
  Image brighter = image;
  for (double& x : brighter.values) x += c[0];
  return brighter;
}

Image contrast(const Image& image, const Constants& c, variance::Stream&) {
  Image flatter = image;
  for (int channel = 0; channel < image.shape.channels; ++channel) {
    double sum = 0;
    double* values = flatter.plane(channel);
    for (std::size_t i = 0; i < image.plane_size(); ++i) sum += values[i];
    const double mean = sum / static_cast<double>(image.plane_size());
    for (std::size_t i = 0; i < image.plane_size(); ++i) values[i] = (values[i] - mean) * c[0] + mean;
  }
  return flatter;
}

Image saturate(const Image& image, const Constants& c, variance::Stream&) {
  if (image.shape.channels != 3) return image;
  return through_hsv(image,
                     [&](Hsv& pixel) { pixel.saturation = std::clamp(pixel.saturation * c[0] + c[1], 0.0, 1.0); });
}

}  // namespace retrial::corrupt::colour
