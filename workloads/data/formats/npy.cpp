#include "workloads/data/formats/npy.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string_view>

#include "results/text/text.hpp"
#include "workloads/data/files/files.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_npy_file = std::uint64_t{1} << 30;
constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t before_dictionary = 10, max_sides = 32;

/// Reads the dictionary of a header from left to right; every error names file and byte offset.
class Header {
 public:
  Header(const fs::path& file, std::string_view text) : file_(file), text_(text) {}

  void parse(NpyArray& array) {
    expect('{');
    while (!accept('}')) {
      entry(array);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ + 1 != text_.size() || text_[at_] != '\n') refuse("expected blanks and one LF after the dictionary");
    for (const char* key : {"descr", "fortran_order", "shape"})
      if (!seen(key)) refuse(std::string("key ") + key + " is missing");
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    refuse_content(file_, problem + ", byte offset " + std::to_string(before_dictionary + at_));
  }
  [[nodiscard]] bool seen(const std::string& key) const {
    return std::find(seen_.begin(), seen_.end(), key) != seen_.end();
  }
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse(std::string("expected ") + c);
  }
  std::string quoted() {
    blanks();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') refuse("expected a quoted word");
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) refuse("a quote is not closed");
    const std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }
  std::string word() {
    blanks();
    const auto end = std::min(text_.find_first_of(" ,}", at_), text_.size());
    const std::string found(text_.substr(at_, end - at_));
    at_ = end;
    return found;
  }
  std::uint64_t side() {
    blanks();
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (problem != std::errc()) refuse("key shape: expected a whole number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  void shape(NpyArray& array) {
    expect('(');
    while (!accept(')')) {
      array.shape.push_back(side());
      if (array.shape.size() > max_sides) refuse("key shape: more than 32 dimensions");
      if (accept(',')) continue;
      if (array.shape.size() == 1) refuse("key shape: expected a comma after the only side");
      expect(')');
      break;
    }
  }
  void entry(NpyArray& array) {
    const std::string key = quoted();
    if (seen(key)) refuse("key " + results::one_line(key, 40) + " occurs twice");
    seen_.push_back(key);
    expect(':');
    if (key == "descr")
      descr(array);
    else if (key == "shape")
      shape(array);
    else if (key == "fortran_order")
      order();
    else
      refuse("key " + results::one_line(key, 40) + " is unknown, expected descr, fortran_order, shape");
  }
  void descr(NpyArray& array) {
    array.descr = quoted();
    for (const char* known : {"|u1", "<i4", "<i8", "<f4", "<f8"})
      if (array.descr == known) return;
    refuse("key descr = " + results::one_line(array.descr, 40) + ", expected |u1, <i4, <i8, <f4 or <f8");
  }
  void order() {
    const std::string value = word();
    if (value != "False") refuse("key fortran_order = " + results::one_line(value, 40) + ", expected False");
  }

  const fs::path& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> seen_;
};

std::size_t dictionary_end(const fs::path& file, std::string_view text) {
  if (text.size() < before_dictionary || !text.starts_with(magic))
    refuse_content(file, "does not begin with 93 'NUMPY': not an NPY file");
  if (text[6] != 1 || text[7] != 0)
    refuse_content(file, "NPY version " + std::to_string(static_cast<std::uint8_t>(text[6])) + "." +
                             std::to_string(static_cast<std::uint8_t>(text[7])) + ", expected 1.0");
  const std::size_t length =
      static_cast<std::uint8_t>(text[8]) | static_cast<std::size_t>(static_cast<std::uint8_t>(text[9])) << 8;
  if (text.size() - before_dictionary < length)
    refuse_content(file, "a header of " + std::to_string(length) + " bytes is declared, found " +
                             std::to_string(text.size() - before_dictionary));
  return before_dictionary + length;
}

std::uint64_t payload_of(const fs::path& file, const NpyArray& array) {
  std::uint64_t bytes = array.item_bytes();
  for (const std::uint64_t side : array.shape)
    if (__builtin_mul_overflow(bytes, side, &bytes)) refuse_content(file, "key shape: more than 2^64 bytes");
  return bytes;
}

}  // namespace

namespace {

/// Little-endian bits of one item.
std::uint64_t bits_of(const NpyArray& array, std::size_t item) {
  const std::size_t width = array.item_bytes();
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | array.bytes[item * width + i];
  return value;
}

}  // namespace

std::int64_t NpyArray::integer(std::size_t item) const {
  const std::uint64_t value = bits_of(*this, item);
  return item_bytes() == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
}

double NpyArray::number(std::size_t item) const {
  if (whole_numbers()) return static_cast<double>(integer(item));
  const std::uint64_t value = bits_of(*this, item);
  return item_bytes() == 8 ? std::bit_cast<double>(value)
                           : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
}

namespace {

/// Header and size of a file that begins with `text` and has `bytes` bytes.
NpyHeader parsed(const fs::path& file, std::string_view text, std::uint64_t bytes) {
  NpyHeader header{{.descr = {}, .shape = {}, .bytes = {}, .file = {file.filename().string(), bytes, std::nullopt}}, 0};
  header.items_at = dictionary_end(file, text);
  Header(file, text.substr(before_dictionary, header.items_at - before_dictionary)).parse(header.array);
  const std::uint64_t expected = payload_of(file, header.array);
  if (bytes - header.items_at != expected)
    refuse_content(file, "key shape declares " + std::to_string(expected) + " bytes after byte offset " +
                             std::to_string(header.items_at) + ", found " + std::to_string(bytes - header.items_at));
  return header;
}

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

NpyHeader read_npy_header(const fs::path& file) {
  const std::uint64_t bytes = file_bytes(file, largest_npy_file);
  std::vector<std::uint8_t> begin(std::min<std::uint64_t>(bytes, before_dictionary + 0xffff));
  read_into(file, begin);
  return parsed(file, text_of(begin), bytes);
}

NpyArray read_npy(const fs::path& file, bool hash) {
  std::vector<std::uint8_t> stored(file_bytes(file, largest_npy_file));
  read_into(file, stored);
  auto [array, items_at] = parsed(file, text_of(stored), stored.size());
  if (hash) array.file.sha256 = results::sha256(std::span<const std::uint8_t>(stored));
  array.bytes.assign(stored.begin() + static_cast<std::ptrdiff_t>(items_at), stored.end());
  return array;
}

std::vector<std::uint8_t> by_planes(std::span<const std::uint8_t> interleaved, const Shape& shape) {
  const auto channels = static_cast<std::size_t>(shape.channels), plane = shape.pixels() / channels;
  std::vector<std::uint8_t> planes(interleaved.size());
  for (std::size_t image = 0; image < interleaved.size(); image += plane * channels)
    for (std::size_t i = 0; i < plane; ++i)
      for (std::size_t c = 0; c < channels; ++c) planes[image + c * plane + i] = interleaved[image + i * channels + c];
  return planes;
}

}  // namespace retrial::data::inline formats
