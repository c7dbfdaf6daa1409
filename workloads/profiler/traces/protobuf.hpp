#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "workloads/profiler/traces/bytes.hpp"

/// The wire format of protocol buffers: fields of varints, 8 bytes, and bytes with their length.
namespace retrial::profiler::inline traces {

enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

class Message {
 public:
  Message& number(std::uint32_t field, std::uint64_t value) {
    head(field, Wire::varint);
    append_varint(bytes_, value);
    return *this;
  }
  Message& fixed(std::uint32_t field, std::uint64_t value) {
    head(field, Wire::fixed64);
    append_word(bytes_, value);
    return *this;
  }
  Message& text(std::uint32_t field, std::string_view value) {
    head(field, Wire::bytes);
    append_varint(bytes_, value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(std::uint32_t field, const Message& value) { return text(field, value.bytes_); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void head(std::uint32_t field, Wire wire) {
    append_varint(bytes_, std::uint64_t{field} << 3U | static_cast<std::uint64_t>(wire));
  }
  std::string bytes_;
};

/// Calls `seen(field, number, bytes)` for every field: a number, or the reader of its bytes.
template <typename Seen>
void each_field(ByteReader from, const Seen& seen) {
  while (from.left() > 0) {
    const std::uint64_t head = from.varint("a field");
    const std::uint64_t field = head >> 3U;
    if (field == 0 || field > 0x1FFFFFFF) from.refuse("a field of an impossible number");
    switch (static_cast<Wire>(head & 7U)) {
      case Wire::varint:
        seen(field, from.varint("a field"), ByteReader({}, from.file(), from.place()));
        break;
      case Wire::fixed64:
        seen(field, from.word<std::uint64_t>("a field"), ByteReader({}, from.file(), from.place()));
        break;
      case Wire::fixed32:
        seen(field, std::uint64_t{from.word<std::uint32_t>("a field")}, ByteReader({}, from.file(), from.place()));
        break;
      case Wire::bytes: {
        const std::uint64_t length = from.varint("a field");
        const std::size_t begin = from.place();
        seen(field, std::uint64_t{0}, ByteReader(from.take(length, "a field"), from.file(), begin));
        break;
      }
      default:
        from.refuse("a field of an unknown wire type");
    }
  }
}
[[nodiscard]] inline std::string text_in(ByteReader from) {
  return std::string(from.take(from.left(), "a text"));
}

}  // namespace retrial::profiler::inline traces
