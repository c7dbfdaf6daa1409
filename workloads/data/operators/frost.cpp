#include <algorithm>

#include "workloads/data/operators/operators.hpp"
#include "workloads/data/operators/textures.hpp"

namespace retrial::corrupt::weather {
namespace {

/// floor(u n), but below n even if u n rounds up to it; 0 for n = 0.
int below(int n, variance::Stream& draws) {
  return std::clamp(static_cast<int>(variance::uniform_open(draws.next()) * n), 0, std::max(n - 1, 0));
}

double value_of(const Texture& texture, int y, int x, int channel, int channels) {
  const std::uint8_t* pixel =
      texture.rgb.data() +
      3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(texture.width) + static_cast<std::size_t>(x));
  return (channels == 3 ? pixel[channel] : .299 * pixel[0] + .587 * pixel[1] + .114 * pixel[2]) / 255;
}

}  // namespace

Image frost(const Image& image, const Constants& c, const Textures& textures, variance::Stream& draws) {
  constexpr int used = 5;  // the sixth photograph never occurs, as in the original
  const Texture& texture = textures.images[static_cast<std::size_t>(below(used, draws))];
  const auto [channels, height, width] = image.shape;
  const int top = below(texture.height - height, draws), left = below(texture.width - width, draws);
  Image frozen = image;
  for (int channel = 0; channel < channels; ++channel)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        double& value = frozen.plane(channel)[static_cast<std::size_t>(y * width + x)];
        value = c[0] * value + c[1] * value_of(texture, top + y, left + x, channel, channels);
      }
  return frozen;
}

}  // namespace retrial::corrupt::weather
