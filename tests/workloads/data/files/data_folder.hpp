// The folder of real data, and files made for one test.
#pragma once

#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::test {

/// RETRIAL_TEST_DATA/name, or shared/data/name next to the repository; nothing, visibly, if it is absent.
inline std::optional<std::filesystem::path> real_data(const std::string& name) {
  const char* given = std::getenv("RETRIAL_TEST_DATA");
  const std::filesystem::path folder =
      (given != nullptr ? std::filesystem::path(given) : std::filesystem::path(RETRIAL_SOURCE_DIR) / "../shared/data") /
      name;
  if (std::filesystem::exists(folder)) return folder;
  WARN("left out: no " << name << " in the folder of real data (RETRIAL_TEST_DATA)");
  return std::nullopt;
}

inline void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

/// The first 16 hex digits of the SHA-256 of row numbers as little-endian 32-bit words.
inline std::string rows_digest(const std::vector<std::uint32_t>& rows) {
  std::string bytes;
  for (const std::uint32_t row : rows)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(row >> shift & 0xff));
  return results::hex(results::sha256(bytes)).substr(0, 16);
}

/// One CIFAR-10 record whose 3,072 pixels are `pixel`.
inline std::string cifar10_record(int label, int pixel) {
  return std::string(1, static_cast<char>(label)) + std::string(3072, static_cast<char>(pixel));
}

/// 28 x 28 images of one grey each.
inline std::string idx_images(const std::vector<int>& greys) {
  std::string bytes("\0\0\x08\x03\0\0\0\0\0\0\0\x1c\0\0\0\x1c", 16);
  bytes[7] = static_cast<char>(greys.size());
  for (const int grey : greys) bytes += std::string(784, static_cast<char>(grey));
  return bytes;
}

inline std::string idx_labels(const std::string& labels) {
  std::string bytes("\0\0\x08\x01\0\0\0\0", 8);
  bytes[7] = static_cast<char>(labels.size());
  return bytes + labels;
}

inline std::string gzipped(const std::string& bytes) {
  const Folder folder;
  const std::string name = (folder.path() / "packed.gz").string();
  gzFile file = gzopen(name.c_str(), "wb9");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Header as NumPy writes it: padded so that the items begin at a multiple of 16.
inline std::string npy(std::string dictionary, const std::string& items) {
  dictionary.append((16 - (10 + dictionary.size() + 1) % 16) % 16, ' ');
  dictionary += '\n';
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(dictionary.size() & 0xff) +
         static_cast<char>(dictionary.size() >> 8) + dictionary + items;
}

}  // namespace retrial::test
