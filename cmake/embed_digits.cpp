// retrial-embed-digits INPUT OUTPUT.cpp: the 8x8 digits of scikit-learn as a generated source. INPUT is digits.csv or
// digits.csv.gz. What is checked is the decompressed text, because distributions re-compress the archive.
#include <zlib.h>

#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "results/digest/sha256.hpp"

namespace {

constexpr std::string_view expected_sha256 = "6ebb3d2fee246a4e99363262ddf8a00a3c41bee6014c373ed9d9216ba7f651b8";
constexpr std::size_t rows = 1797, columns = 65;
constexpr int largest_value = 16;

/// zlib's reader passes a plain file through, so one path serves both.
std::string decompressed(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error(path + ": cannot be opened");
  std::string text;
  std::vector<char> piece(1 << 16);
  int got = 0;
  while ((got = gzread(file, piece.data(), static_cast<unsigned>(piece.size()))) > 0)
    text.append(piece.data(), static_cast<std::size_t>(got));
  const int closed = gzclose(file);
  if (got < 0 || closed != Z_OK) throw std::runtime_error(path + ": damaged or not a gzip file");
  return text;
}

void require_known_text(const std::string& path, const std::string& text) {
  const std::string found = retrial::results::hex(retrial::results::sha256(text));
  if (found != expected_sha256)
    throw std::runtime_error(path + ": the decompressed text has SHA-256 " + found + " (" +
                             std::to_string(text.size()) + " bytes), expected " + std::string(expected_sha256) +
                             "; point RETRIAL_DIGITS_CSV at digits.csv.gz of scikit-learn");
}

std::vector<int> numbers_of(const std::string& path, const std::string& text) {
  std::vector<int> numbers;
  numbers.reserve(rows * columns);
  int value = -1;
  std::size_t line = 1, on_line = 0;
  const auto close_number = [&] {
    if (value < 0 || value > largest_value)
      throw std::runtime_error(path + ":" + std::to_string(line) + ": not a number of 0 to 16");
    numbers.push_back(value);
    value = -1;
    ++on_line;
  };
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      value = (value < 0 ? 0 : value * 10) + (c - '0');
    } else if (c == ',' || c == '\n') {
      close_number();
      if (c == ',') continue;
      if (on_line != columns)
        throw std::runtime_error(path + ":" + std::to_string(line) + ": " + std::to_string(on_line) +
                                 " columns, expected 65");
      on_line = 0;
      ++line;
    } else {
      throw std::runtime_error(path + ":" + std::to_string(line) + ": a foreign character");
    }
  }
  if (numbers.size() != rows * columns)
    throw std::runtime_error(path + ": " + std::to_string(line - 1) + " rows, expected 1797");
  return numbers;
}

void write_source(const std::string& path, const std::vector<int>& numbers) {
  std::ofstream to(path, std::ios::binary);
  to << "// Generated from digits.csv of scikit-learn: a row is 64 pixels, then the label.\n"
        "namespace retrial::data::inline formats {\nextern const unsigned char digits_rows[116805];\n"
        "const unsigned char digits_rows[116805] = {\n";
  for (std::size_t i = 0; i < numbers.size(); ++i) to << numbers[i] << ((i + 1) % columns == 0 ? ",\n" : ",");
  to << "};\n}  // namespace retrial::data::inline formats\n";
  to.close();
  if (!to) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: retrial-embed-digits INPUT OUTPUT.cpp\n";
    return 2;
  }
  try {
    const std::string text = decompressed(argv[1]);
    require_known_text(argv[1], text);
    write_source(argv[2], numbers_of(argv[1], text));
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << "retrial-embed-digits: " << problem.what() << '\n';
    return 2;
  }
}
