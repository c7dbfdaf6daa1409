#include "workloads/data/corrupt/shift.hpp"

#include <algorithm>
#include <numeric>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/data/corrupt/corrupt.hpp"

namespace retrial::corrupt {
namespace {

double clipped(double x) {
  return std::clamp(x, 0.0, 1.0);
}

template <typename Change>
Image with_each(Image image, Change&& change) {
  image.for_each([&](double& x) { x = change(x); });
  return image;
}

Image uniform(const Image& image, double level, variance::Stream& draws) {
  return with_each(image, [&](double x) { return x + 2 * level * (variance::uniform_open(draws.next()) - .5); });
}

Image gaussian(const Image& image, double level, variance::Stream& draws) {
  return with_each(image, [&](double x) { return clipped(x + level * variance::normal(draws.next())); });
}

Image contrast(const Image& image, double level, variance::Stream&) {
  const double sum = std::accumulate(image.values.begin(), image.values.end(), 0.0);
  const double mean = sum / static_cast<double>(image.values.size());
  return with_each(image, [&](double x) { return clipped((x - mean) * level + mean); });
}

Image brightness(const Image& image, double level, variance::Stream&) {
  return with_each(image, [&](double x) { return clipped(x + level); });
}

Image box_blur(const Image& image, double, variance::Stream&) {
  const auto [channels, height, width] = image.shape;
  Image blurred = image;
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        double sum = 0;
        for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
          for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) sum += image.plane(c)[v * width + u];
        blurred.plane(c)[y * width + x] = sum / 9;
      }
  return blurred;
}

Image moved_right(const Image& image, double level, variance::Stream&) {
  const int width = image.shape.width, by = static_cast<int>(level) % width;
  Image moved = image;
  for (auto row = moved.values.begin(); row != moved.values.end(); row += width)
    std::rotate(row, row + (width - by), row + width);
  return moved;
}

Image impulse(const Image& image, double level, variance::Stream& draws) {
  return with_each(image, [&](double x) {
    const double u = variance::uniform_open(draws.next());
    return u < level / 2 ? 0.0 : u > 1 - level / 2 ? 1.0 : x;
  });
}

std::string name_of(const Shift& shift, std::size_t level) {
  return shift.name + "_" + std::to_string(level + 1);
}

}  // namespace

const std::vector<Shift>& shifts() {
  static const std::vector<Shift> rows{
      {"uniform", "uniform noise within +- .1 to .5, not clipped", {.1, .2, .3, .4, .5}, uniform},
      {"gaussian", "normal noise with sd .1 to .3, clipped", {.1, .2, .3}, gaussian},
      {"contrast", "contrast .4 around the mean of the image, clipped", {.4}, contrast},
      {"brightness", "brighter by .3, clipped", {.3}, brightness},
      {"box_blur", "3 x 3 mean, zeros outside", {3}, box_blur},
      {"shift", "moved right by one pixel, circular", {1}, moved_right},
      {"impulse", "5 % of the values black, 5 % white", {.1}, impulse},
  };
  return rows;
}

std::vector<std::string> shift_names() {
  std::vector<std::string> names;
  for (const Shift& shift : shifts())
    for (std::size_t level = 0; level < shift.levels.size(); ++level) names.push_back(name_of(shift, level));
  return names;
}

NamedShift find_shift(std::string_view name) {
  for (const Shift& shift : shifts())
    for (std::size_t level = 0; level < shift.levels.size(); ++level)
      if (name_of(shift, level) == name) return {&shift, static_cast<int>(level) + 1};
  refuse_unknown("distribution", name, shift_names());
}

std::vector<float> shifted(const data::ImageSet& set, std::span<const std::uint32_t> rows, const NamedShift& shift,
                           std::uint64_t seed) {
  const std::uint64_t key = key_of(seed, shift.shift->name, shift.level);
  const double level = shift.shift->levels[static_cast<std::size_t>(shift.level - 1)];
  std::vector<float> values;
  values.reserve(rows.size() * set.shape.pixels());
  for (const std::uint32_t row : rows) {
    variance::Stream draws(key, row);
    const Image image = shift.shift->op(image_of({set.shape, set.image(row), set.scale}), level, draws);
    for (const double x : image.values) values.push_back(static_cast<float>(x));
  }
  return values;
}

}  // namespace retrial::corrupt
