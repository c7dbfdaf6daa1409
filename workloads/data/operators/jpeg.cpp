#include "workloads/data/operators/operators.hpp"

#ifdef RETRIAL_JPEG

#include <cstdlib>

#include "workloads/data/images/jpeg_codec.hpp"

namespace retrial::corrupt::digital {
namespace {

std::vector<std::uint8_t> interleaved(const Image& image) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < image.plane_size(); ++i)
    for (int c = 0; c < image.shape.channels; ++c) bytes.push_back(byte_of(image.plane(c)[i]));
  return bytes;
}

/// Frees the memory of the library on every path.
struct Compressed {
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  Compressed() = default;
  Compressed(const Compressed&) = delete;
  Compressed& operator=(const Compressed&) = delete;
  ~Compressed() { std::free(bytes); }
};
struct Encoder {
  jpeg_error_mgr manager = jpeg_codec::errors();
  jpeg_compress_struct info{};
  Encoder() {
    info.err = &manager;
    jpeg_create_compress(&info);
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder() { jpeg_destroy_compress(&info); }
};
void compress(const data::Shape& shape, std::vector<std::uint8_t> bytes, int quality, Compressed& to) {
  Encoder encoder;
  auto& info = encoder.info;
  jpeg_mem_dest(&info, &to.bytes, &to.size);
  info.image_width = static_cast<JDIMENSION>(shape.width);
  info.image_height = static_cast<JDIMENSION>(shape.height);
  info.input_components = shape.channels;
  info.in_color_space = shape.channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(&info);  // chroma halved both ways, slow integer transform
  jpeg_set_quality(&info, quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  const auto row_bytes = static_cast<std::size_t>(shape.width * shape.channels);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = bytes.data() + info.next_scanline * row_bytes;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
}

std::vector<std::uint8_t> decompress(const data::Shape& shape, const Compressed& from) {
  jpeg_codec::Decoder decoder;
  auto& info = decoder.info;
  jpeg_mem_src(&info, from.bytes, from.size);
  jpeg_read_header(&info, TRUE);
  jpeg_start_decompress(&info);
  std::vector<std::uint8_t> bytes(shape.pixels());
  const auto row_bytes = static_cast<std::size_t>(shape.width * shape.channels);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = bytes.data() + info.output_scanline * row_bytes;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  return bytes;
}

}  // namespace

Image jpeg(const Image& image, const Constants& c, variance::Stream&) {
  Compressed file;
  compress(image.shape, interleaved(image), static_cast<int>(c[0]), file);
  const auto bytes = decompress(image.shape, file);
  Image result = image;
  std::size_t at = 0;
  for (std::size_t i = 0; i < image.plane_size(); ++i)
    for (int channel = 0; channel < image.shape.channels; ++channel) result.plane(channel)[i] = bytes[at++] / 255.0;
  return result;
}

#define RETRIAL_TEXT_OF(x) #x
#define RETRIAL_TEXT(x) RETRIAL_TEXT_OF(x)
const char* jpeg_library() {
#ifdef LIBJPEG_TURBO_VERSION
  return "libjpeg-turbo " RETRIAL_TEXT(LIBJPEG_TURBO_VERSION);
#else
  return "libjpeg " RETRIAL_TEXT(JPEG_LIB_VERSION);
#endif
}

}  // namespace retrial::corrupt::digital

#else

namespace retrial::corrupt::digital {

Image jpeg(const Image& image, const Constants&, variance::Stream&) {
  return image;
}
const char* jpeg_library() {
  return "";
}

}  // namespace retrial::corrupt::digital

#endif
