// retrial-embed-images SET INPUT OUTPUT.cpp: the images of a wheel as a generated source. INPUT is their CSV file,
// plain or gzip'd: each line has the pixels of an image, then its label. What is checked is the decompressed text,
// because distributions re-compress the archive. The source holds the same bytes, compressed by zlib.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "results/digest/sha256.hpp"

namespace {

struct Set {
  std::string_view name, symbol, option, sha256;
  std::size_t rows, columns;
  int largest_value;
};

constexpr std::array sets{
    Set{"digits", "digits", "RETRIAL_DIGITS_CSV", "6ebb3d2fee246a4e99363262ddf8a00a3c41bee6014c373ed9d9216ba7f651b8",
        1797, 65, 16},
    Set{"mnist-5k", "mnist_5k", "RETRIAL_MNIST_5K_CSV",
        "167bbe5fc3dfbce27f9a4c6c1814964f3367677ee226d9811d79cbd41fd5d053", 5000, 785, 255},
};

const Set& set_named(std::string_view name) {
  const auto* const found = std::find_if(sets.begin(), sets.end(), [&](const Set& set) { return set.name == name; });
  if (found == sets.end()) throw std::runtime_error(std::string(name) + ": expected digits or mnist-5k");
  return *found;
}

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

void require_known_text(const Set& set, const std::string& path, const std::string& text) {
  const std::string found = retrial::results::hex(retrial::results::sha256(text));
  if (found != set.sha256)
    throw std::runtime_error(path + ": the decompressed text has SHA-256 " + found + " (" +
                             std::to_string(text.size()) + " bytes), expected " + std::string(set.sha256) + "; let " +
                             std::string(set.option) + " name the file of the wheel");
}

/// The bytes of all records, in the order of the lines.
std::vector<unsigned char> records_of(const Set& set, const std::string& path, const std::string& text) {
  std::vector<unsigned char> records;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int value = -1;
    const auto read = std::from_chars(at, end, value);
    const bool last = (records.size() + 1) % set.columns == 0;
    if (read.ec != std::errc() || read.ptr == end || *read.ptr != (last ? '\n' : ',') || value < 0 ||
        value > set.largest_value)
      throw std::runtime_error(path + ": byte " + std::to_string(at - text.data()) + " begins no number of 0 to " +
                               std::to_string(set.largest_value) + ", or a line has not " +
                               std::to_string(set.columns) + " numbers");
    records.push_back(static_cast<unsigned char>(value));
    at = read.ptr + 1;
  }
  if (records.size() != set.rows * set.columns)
    throw std::runtime_error(path + ": " + std::to_string(records.size()) + " numbers, expected " +
                             std::to_string(set.rows * set.columns));
  return records;
}

std::vector<unsigned char> compressed(const std::vector<unsigned char>& bytes) {
  uLongf size = compressBound(bytes.size());
  std::vector<unsigned char> packed(size);
  if (compress2(packed.data(), &size, bytes.data(), bytes.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::runtime_error("zlib cannot compress the records");
  packed.resize(size);
  return packed;
}

/// As a string literal, which compilers read fifty times faster than a list of numbers.
std::string literal(const std::vector<unsigned char>& bytes) {
  constexpr std::size_t on_line = 32;
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % on_line == 0) text += i == 0 ? "    \"" : "\"\n    \"";
    text += '\\';
    for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + (bytes[i] >> shift & 7));
  }
  return text + "\"";
}

void write_source(const Set& set, const std::string& path, const std::vector<unsigned char>& packed) {
  const std::string size = std::to_string(packed.size()), symbol(set.symbol);
  std::ofstream to(path, std::ios::binary);
  to << "// Generated: the records of " << set.name << ", compressed by zlib.\n"
     << "#include \"workloads/data/formats/embedded.hpp\"\n\n"
     << "namespace retrial::data::inline formats {\nextern const Packed " << symbol << "_packed;\n"
     << "const Packed " << symbol << "_packed{\n"
     << literal(packed) << ",\n    " << size << "};\n"
     << "}  // namespace retrial::data::inline formats\n";
  to.close();
  if (!to) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: retrial-embed-images SET INPUT OUTPUT.cpp\n";
    return 2;
  }
  try {
    const Set& set = set_named(argv[1]);
    const std::string text = decompressed(argv[2]);
    require_known_text(set, argv[2], text);
    write_source(set, argv[3], compressed(records_of(set, argv[2], text)));
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << "retrial-embed-images: " << problem.what() << '\n';
    return 2;
  }
}
