#include <algorithm>

#include "workloads/data/images/filters.hpp"
#include "workloads/data/operators/operators.hpp"
#include "workloads/data/operators/water.hpp"

namespace retrial::corrupt::weather {
namespace {

double grey(double red, double green, double blue) {
  return .299 * red + .587 * green + .114 * blue;
}

/// 0 below c3, as in both operators that begin with a layer of noise.
void cut_below(Image& layer, double threshold) {
  for (double& x : layer.values) x = x < threshold ? 0.0 : x;
}

Image noise_layer(const Image& image, double mean, double deviation, variance::Stream& draws) {
  Image layer = layer_of(image.shape);
  layer.for_each([&](double& x) { x = mean + deviation * variance::normal(draws.next()); });
  return layer;
}

/// Keeps a share of the image and fades the rest to a bright gray.
Image faded(const Image& image, double keep) {
  Image pale = image;
  for (std::size_t i = 0; i < image.plane_size(); ++i) {
    const bool rgb = image.shape.channels == 3;
    const double light = rgb ? grey(image.plane(0)[i], image.plane(1)[i], image.plane(2)[i]) : image.values[i];
    for (int channel = 0; channel < image.shape.channels; ++channel) {
      double& x = pale.plane(channel)[i];
      x = keep * x + (1 - keep) * std::max(x, 1.5 * light + .5);
    }
  }
  return pale;
}

/// Calls value(channel, i, x) for every value of the image.
template <typename Value>
Image with_each(Image image, Value&& value) {
  for (int channel = 0; channel < image.shape.channels; ++channel)
    for (std::size_t i = 0; i < image.plane_size(); ++i) {
      double& x = image.plane(channel)[i];
      x = value(channel, i, x);
    }
  return image;
}

struct Paint {
  double red, green, blue;
  [[nodiscard]] double of(const Image& image, int channel) const {
    if (image.shape.channels != 3) return grey(red, green, blue) / 255;
    return (channel == 0 ? red : channel == 1 ? green : blue) / 255;
  }
};

Image mud(const Image& image, const Image& layer, const Constants& c) {
  constexpr Paint brown{63, 42, 20};
  Image cover = layer;
  for (double& x : cover.values) x = x > c[3] ? 1.0 : 0.0;
  cover = filtered(cover, {.sigma = c[4]});
  cut_below(cover, .8);
  return with_each(image, [&](int channel, std::size_t i, double x) {
    return x * (1 - cover.values[i]) + cover.values[i] * brown.of(image, channel);
  });
}

Image drops(const Image& image, const Image& layer, const Constants& c) {
  constexpr Paint turquoise{175, 238, 238};
  const Image shine = water(layer, c[4]);
  return with_each(
      image, [&](int channel, std::size_t i, double x) { return x + shine.values[i] * turquoise.of(image, channel); });
}

}  // namespace

Image snow(const Image& image, const Constants& c, variance::Stream& draws) {
  Image layer = zoomed(noise_layer(image, c[0], c[1], draws), c[2]);
  cut_below(layer, c[3]);
  truncate_to_bytes(layer);
  const double degrees = -135 + 90 * variance::uniform_open(draws.next());
  const Image flakes = moved(layer, motion_weights(static_cast<int>(c[4]), c[5]), degrees);
  const std::size_t last = image.plane_size() - 1;
  return with_each(faded(image, c[6]),
                   [&](int, std::size_t i, double x) { return x + flakes.values[i] + flakes.values[last - i]; });
}

Image fog(const Image& image, const Constants& c, variance::Stream& draws) {
  int side = 2;
  while (side < std::max(image.shape.height, image.shape.width)) side *= 2;
  const auto clouds = plasma(side, c[1], draws);
  const double max = *std::max_element(image.values.begin(), image.values.end());
  const auto width = static_cast<std::size_t>(image.shape.width);
  return with_each(image, [&](int, std::size_t i, double x) {
    const double cloud = clouds[i / width * static_cast<std::size_t>(side) + i % width];
    return (x + c[0] * cloud) * max / (max + c[0]);
  });
}

Image spatter(const Image& image, const Constants& c, variance::Stream& draws) {
  Image layer = filtered(noise_layer(image, c[0], c[1], draws), {.sigma = c[2]});
  cut_below(layer, c[3]);
  return c[5] == 1 ? mud(image, layer, c) : drops(image, layer, c);
}

}  // namespace retrial::corrupt::weather
