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

/// A whole PNG file with at most these sides; std::runtime_error if it is not a PNG file, is damaged or larger. Decoded
/// by libpng; an alpha channel is blended with black.
[[nodiscard]] Raster read_png(std::span<const std::uint8_t> bytes, int max_width, int max_height);
/// The same for a JPEG file, by libjpeg; its warnings count as damage.
[[nodiscard]] Raster read_jpeg(std::span<const std::uint8_t> bytes, int max_width, int max_height);

}  // namespace retrial::corrupt
