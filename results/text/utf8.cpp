#include "results/text/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace retrial::results::inline text {
namespace {

struct Lead {
  unsigned low, high;  // range of the first byte
  std::size_t length;
  unsigned second_low, second_high;
};
// Unicode 15, table 3-7.
constexpr Lead leads[] = {
    {0x00, 0x7F, 1, 0, 0},       {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

unsigned byte(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool follows(std::string_view text, std::size_t at, const Lead& lead) {
  if (at + lead.length > text.size()) return false;
  for (std::size_t i = 1; i < lead.length; ++i) {
    const unsigned low = i == 1 ? lead.second_low : 0x80, high = i == 1 ? lead.second_high : 0xBF;
    if (byte(text, at + i) < low || byte(text, at + i) > high) return false;
  }
  return true;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const unsigned first = byte(text, at);
  if (first < 0x80) return 1;
  for (const Lead& lead : leads)
    if (first >= lead.low && first <= lead.high) return follows(text, at, lead) ? lead.length : 0;
  return 0;
}

std::size_t invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (std::uint64_t eight = 0; at + sizeof eight <= text.size()) {  // almost every text is ASCII
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string storable_text(std::string_view text, std::size_t limit) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const bool good = length > 0 && text[at] != '\0';
    const std::string_view piece = good ? text.substr(at, length) : replacement_character;
    if (out.size() + piece.size() > limit) break;
    out += piece;
    at += length > 0 ? length : 1;
  }
  return out;
}

}  // namespace retrial::results::inline text
