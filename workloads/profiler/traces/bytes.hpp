#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "results/text/error.hpp"

/// Numbers as bytes of a file: little-endian words, and varints (7 bits a byte, low group first, high bit: more
/// follow).
namespace retrial::profiler::inline traces {

template <typename N>
void append_word(std::string& to, N value) {
  static_assert(std::is_unsigned_v<N> && std::endian::native == std::endian::little);
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void append_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) to.push_back(static_cast<char>(value | 0x80U));
  to.push_back(static_cast<char>(value));
}
/// Numbers near 0 of either sign become small ones: 0, -1, 1, -2, ...
[[nodiscard]] constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1U) ^ (std::uint64_t{0} - (difference >> 63U));
}
[[nodiscard]] constexpr std::uint64_t from_zigzag(std::uint64_t coded) {
  return (coded >> 1U) ^ (std::uint64_t{0} - (coded & 1U));
}

/// Reads a file front to back. What is missing or wrong throws Error{integrity} with the place in the file.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string file, std::size_t offset = 0)
      : bytes_(bytes), file_(std::move(file)), offset_(offset) {}

  [[nodiscard]] std::size_t place() const { return offset_ + at_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw Error({.exit = Exit::integrity,
                 .code = "profile.trace",
                 .where = file_,
                 .field = "byte " + std::to_string(place()),
                 .problem = problem});
  }
  std::string_view take(std::uint64_t count, const char* what) {
    if (count > left()) refuse("the file ends inside " + std::string(what));
    const std::string_view out = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += static_cast<std::size_t>(count);
    return out;
  }
  template <typename N>
  N word(const char* what) {
    N out;
    std::memcpy(&out, take(sizeof out, what).data(), sizeof out);
    return out;
  }
  std::uint64_t varint(const char* what) {
    std::uint64_t out = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1, what)[0]);
      if (shift == 63 && byte > 1) refuse("a number of more than 64 bits in " + std::string(what));
      out |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return out;
    }
  }

 private:
  std::string_view bytes_;
  std::string file_;
  std::size_t offset_, at_ = 0;
};

}  // namespace retrial::profiler::inline traces
