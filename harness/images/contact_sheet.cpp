#include "harness/images/contact_sheet.hpp"

#include <png.h>

#include <algorithm>
#include <stdexcept>

namespace retrial::harness::inline images {
namespace {

constexpr int gap = 4, min_side = 64;
constexpr std::uint8_t white = 255;

/// Bytes by row, column, channel.
struct Canvas {
  int channels, width, height;
  std::vector<std::uint8_t> bytes;
};

Canvas drawn(const ContactSheet& sheet) {
  const auto [channels, height, width] = sheet.shape;
  const int zoom = std::max(1, (min_side + std::min(height, width) - 1) / std::min(height, width));
  const auto rows = static_cast<int>(sheet.rows.size()),
             columns = static_cast<int>(sheet.rows.empty() ? 0 : sheet.rows[0].size());
  Canvas canvas{channels, gap + columns * (width * zoom + gap), gap + rows * (height * zoom + gap), {}};
  canvas.bytes.assign(static_cast<std::size_t>(canvas.width) * static_cast<std::size_t>(canvas.height * channels),
                      white);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const auto& image = sheet.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      const int top = gap + row * (height * zoom + gap), left = gap + column * (width * zoom + gap);
      for (int y = 0; y < height * zoom; ++y)
        for (int x = 0; x < width * zoom; ++x)
          for (int c = 0; c < channels; ++c) {
            const int v = image[static_cast<std::size_t>((c * height + y / zoom) * width + x / zoom)];
            canvas.bytes[static_cast<std::size_t>(((top + y) * canvas.width + left + x) * channels + c)] =
                static_cast<std::uint8_t>(v * 255 / sheet.scale);
          }
    }
  return canvas;
}

}  // namespace

std::string png_of(const ContactSheet& sheet) {
  const Canvas canvas = drawn(sheet);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(canvas.width);
  image.height = static_cast<png_uint_32>(canvas.height);
  image.format = canvas.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, canvas.bytes.data(), 0, nullptr) == 0)
    throw std::runtime_error(std::string("libpng: ") + image.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace retrial::harness::inline images
