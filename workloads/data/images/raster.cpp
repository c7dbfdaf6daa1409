#include "workloads/data/images/raster.hpp"

#include <png.h>

#include <stdexcept>
#include <string>

#ifdef RETRIAL_JPEG
#include "workloads/data/images/jpeg_codec.hpp"
#endif

namespace retrial::corrupt {
namespace {

/// Checked before memory for pixels is allocated.
void require_size(std::uint64_t width, std::uint64_t height, int max_width, int max_height) {
  if (width > static_cast<std::uint64_t>(max_width) || height > static_cast<std::uint64_t>(max_height))
    throw std::runtime_error(std::to_string(width) + " x " + std::to_string(height) + " pixels");
}

/// Frees the memory of libpng on every path.
struct PngImage {
  png_image info{};
  PngImage() { info.version = PNG_IMAGE_VERSION; }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
  ~PngImage() { png_image_free(&info); }
  void require(int done) const {
    if (done == 0) throw std::runtime_error(std::string("libpng: ") + info.message);
  }
};

}  // namespace

Raster read_png(std::span<const std::uint8_t> bytes, int max_width, int max_height) {
  PngImage image;
  image.require(png_image_begin_read_from_memory(&image.info, bytes.data(), bytes.size()));
  require_size(image.info.width, image.info.height, max_width, max_height);
  image.info.format = PNG_FORMAT_RGB;
  Raster raster{.width = static_cast<int>(image.info.width),
                .height = static_cast<int>(image.info.height),
                .rgb = std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image.info))};
  const png_color black{};
  image.require(png_image_finish_read(&image.info, &black, raster.rgb.data(), 0, nullptr));
  return raster;
}

#ifdef RETRIAL_JPEG

Raster read_jpeg(std::span<const std::uint8_t> bytes, int max_width, int max_height) {
  jpeg_codec::Decoder decoder;
  auto& info = decoder.info;
  jpeg_mem_src(&info, bytes.data(), bytes.size());
  jpeg_read_header(&info, TRUE);
  require_size(info.image_width, info.image_height, max_width, max_height);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  const std::size_t row_bytes = std::size_t{3} * info.output_width;
  Raster raster{.width = static_cast<int>(info.output_width),
                .height = static_cast<int>(info.output_height),
                .rgb = std::vector<std::uint8_t>(row_bytes * info.output_height)};
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = raster.rgb.data() + info.output_scanline * row_bytes;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  if (decoder.manager.num_warnings > 0) throw std::runtime_error("libjpeg: the file is damaged or ends too early");
  return raster;
}

#else

Raster read_jpeg(std::span<const std::uint8_t>, int, int) {
  throw std::runtime_error("this program was built without libjpeg");
}

#endif

}  // namespace retrial::corrupt
