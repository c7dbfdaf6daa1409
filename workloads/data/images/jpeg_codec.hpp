#pragma once

#include <cstdio>  // jpeglib.h uses FILE without it
#include <stdexcept>
#include <string>

#include <jpeglib.h>

/// Code shared by both users of libjpeg.
namespace retrial::corrupt::jpeg_codec {

/// Without it the library ends the program on an error.
[[noreturn]] inline void fail(j_common_ptr info) {
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  throw std::runtime_error(std::string("libjpeg: ") + text);
}
/// Without it the library prints its warnings.
inline void silent(j_common_ptr) {}

inline jpeg_error_mgr errors() {
  jpeg_error_mgr manager;
  jpeg_std_error(&manager);
  manager.error_exit = fail;
  manager.output_message = silent;
  return manager;
}

/// Frees the memory of the library on every path.
struct Decoder {
  jpeg_error_mgr manager = errors();
  jpeg_decompress_struct info{};
  Decoder() {
    info.err = &manager;
    jpeg_create_decompress(&info);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { jpeg_destroy_decompress(&info); }
};

}  // namespace retrial::corrupt::jpeg_codec
