#include "workloads/data/images/image.hpp"

#include <algorithm>

namespace retrial::corrupt {

Image image_of(const ImageView& view) {
  Image image{view.shape, std::vector<double>(view.shape.pixels()), view.scale};
  std::transform(view.bytes, view.bytes + image.values.size(), image.values.begin(),
                 [&](std::uint8_t v) { return static_cast<double>(v) / view.scale; });
  return image;
}

Image layer_of(const data::Shape& shape) {
  const data::Shape layer{1, shape.height, shape.width};
  return {layer, std::vector<double>(layer.pixels(), 0.0), 255};
}

std::uint8_t byte_of(double value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0, 1.0) * 255.0);
}

void write_bytes(const Image& image, std::span<std::uint8_t> to) {
  std::transform(image.values.begin(), image.values.end(), to.begin(), byte_of);
}

void truncate_to_bytes(Image& image) {
  for (double& value : image.values) value = static_cast<double>(byte_of(value)) / 255.0;
}

}  // namespace retrial::corrupt
