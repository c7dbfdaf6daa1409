#include "results/text/cleaned.hpp"

#include <algorithm>
#include <array>

#include "results/text/utf8.hpp"

namespace retrial::results::inline text {
namespace {

constexpr std::string_view ellipsis = "\xE2\x80\xA6";

struct Turned {
  std::string_view bytes, visible;
};
/// Characters that change the direction of the text after them (Unicode 15, UAX 9): invisible, used to disguise names.
constexpr std::array<Turned, 11> bidi{{{"\xE2\x80\x8E", "[U+200E]"},
                                       {"\xE2\x80\x8F", "[U+200F]"},
                                       {"\xE2\x80\xAA", "[U+202A]"},
                                       {"\xE2\x80\xAB", "[U+202B]"},
                                       {"\xE2\x80\xAC", "[U+202C]"},
                                       {"\xE2\x80\xAD", "[U+202D]"},
                                       {"\xE2\x80\xAE", "[U+202E]"},
                                       {"\xE2\x81\xA6", "[U+2066]"},
                                       {"\xE2\x81\xA7", "[U+2067]"},
                                       {"\xE2\x81\xA8", "[U+2068]"},
                                       {"\xE2\x81\xA9", "[U+2069]"}}};

/// C0, DEL and C1: U+0080 to U+009F are old control characters, some of which terminals still obey.
bool is_control(std::string_view character) {
  const auto byte = static_cast<unsigned char>(character[0]);
  return byte < 0x20 || byte == 0x7F ||
         (byte == 0xC2 && character.size() > 1 && static_cast<unsigned char>(character[1]) < 0xA0);
}

std::string_view shown(std::string_view character, Lines lines) {
  if (character == "\n") return lines == Lines::kept ? "\n" : " ";
  if (is_control(character) && character != "\t") return replacement_character;
  const auto turned = std::find_if(bidi.begin(), bidi.end(), [&](const Turned& t) { return t.bytes == character; });
  return turned == bidi.end() ? character : turned->visible;
}

}  // namespace

std::string cleaned(std::string_view text, std::size_t limit, Lines lines) {
  std::string out;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++characters) {
    if (characters == limit) return out += ellipsis;
    const std::size_t length = utf8_length(text, at);
    out += length == 0 ? replacement_character : shown(text.substr(at, length), lines);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

bool has_control(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; })) return false;
  for (std::size_t at = 0; at < text.size(); at += std::max<std::size_t>(utf8_length(text, at), 1))
    if (is_control(text.substr(at, 2))) return true;
  return false;
}

}  // namespace retrial::results::inline text
