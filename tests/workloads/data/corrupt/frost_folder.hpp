// Photographs of ice made up for tests: of the right names, kinds and sizes, with pixels that a formula gives.
#pragma once

#include <png.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/workloads/data/files/data_folder.hpp"
#include "workloads/data/operators/operators.hpp"
#include "workloads/data/operators/textures.hpp"

#if __has_include(<jpeglib.h>)
#include <jpeglib.h>
#endif

namespace retrial::test {

/// Red, green and blue of a made-up photograph. JPEG keeps a single colour as it is, give or take rounding.
inline std::array<std::uint8_t, 3> ice(int file, int y, int x) {
  if (file >= 3) return {static_cast<std::uint8_t>(40 * file), static_cast<std::uint8_t>(40 * file), 200};
  return {static_cast<std::uint8_t>((x + 3 * y) % 251), static_cast<std::uint8_t>((7 * x + y + 50 * file) % 241), 90};
}

inline std::vector<std::uint8_t> ice_pixels(int file, int width, int height) {
  std::vector<std::uint8_t> rgb;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (const std::uint8_t value : ice(file, y, x)) rgb.push_back(value);
  return rgb;
}

inline std::string png_bytes(int width, int height, const std::vector<std::uint8_t>& rgb) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  REQUIRE(png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr) != 0);
  bytes.resize(size);
  return bytes;
}

inline std::string jpeg_bytes([[maybe_unused]] int width, [[maybe_unused]] int height,
                              [[maybe_unused]] std::vector<std::uint8_t> rgb) {
#if __has_include(<jpeglib.h>)
  jpeg_error_mgr errors;
  jpeg_compress_struct info{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  jpeg_start_compress(&info, TRUE);
  for (std::size_t row = 0; row < info.image_height; ++row) {
    JSAMPROW at = rgb.data() + row * static_cast<std::size_t>(width) * 3;
    jpeg_write_scanlines(&info, &at, 1);
  }
  jpeg_finish_compress(&info);
  std::string text(reinterpret_cast<const char*>(bytes), size);
  std::free(bytes);
  jpeg_destroy_compress(&info);
  return text;
#else
  return "";
#endif
}

/// All six in the folder.
inline void write_ice(const std::filesystem::path& folder) {
  int number = 0;
  for (const corrupt::TextureFile& file : corrupt::texture_files()) {
    const auto rgb = ice_pixels(number, file.width, file.height);
    const bool png = std::string(file.name).ends_with(".png");
    write_bytes(folder / file.name,
                png ? png_bytes(file.width, file.height, rgb) : jpeg_bytes(file.width, file.height, rgb));
    ++number;
  }
}

/// Whether this program can read them; says so where it cannot.
inline bool reads_ice() {
  if (*corrupt::digital::jpeg_library() != '\0') return true;
  WARN("left out: this program was built without libjpeg");
  return false;
}

}  // namespace retrial::test
