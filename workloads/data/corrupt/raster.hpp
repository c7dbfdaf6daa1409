#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace retrial::corrupt {

/// Pixels of an image file in red, green and blue, row by row.
struct Raster {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// The whole of a PNG file of at most these sides; std::runtime_error in words when it is none, is damaged or larger.
/// Decoded by libpng; an alpha channel is laid over black.
[[nodiscard]] Raster read_png(std::span<const std::uint8_t> bytes, int most_width, int most_height);
/// The same of a JPEG file, by libjpeg; its warnings count as damage.
[[nodiscard]] Raster read_jpeg(std::span<const std::uint8_t> bytes, int most_width, int most_height);

}  // namespace retrial::corrupt
