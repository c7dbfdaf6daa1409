// Approved texts in tests/golden, one folder per room. With RETRIAL_ACCEPT=1 a text replaces its file; then read the
// diff.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/catch.hpp"

namespace retrial::fixture {

inline const std::filesystem::path golden_folder = std::filesystem::path(RETRIAL_SOURCE_DIR) / "tests/golden";

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// `name` is the path below tests/golden.
inline void approve(const std::string& name, const std::string& text) {
  const auto path = golden_folder / name;
  if (std::getenv("RETRIAL_ACCEPT") != nullptr) std::ofstream(path, std::ios::binary) << text;
  CAPTURE(path.string());
  CHECK(text == bytes_of(path));
}

}  // namespace retrial::fixture
