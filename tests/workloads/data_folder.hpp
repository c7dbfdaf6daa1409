// The folder of real data, and files made for one test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tests/catch.hpp"

namespace retrial::test {

/// RETRIAL_TEST_DATA/name, or shared/data/name beside the repository; nothing, visibly, where it is absent.
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

/// One CIFAR-10 record whose 3,072 pixels are `pixel`.
inline std::string cifar10_record(int label, int pixel) {
  return std::string(1, static_cast<char>(label)) + std::string(3072, static_cast<char>(pixel));
}

}  // namespace retrial::test
