// One line for every corruption, severity and shape whose bytes depend on no library: a digest of three images made
// from a formula. Compiled without Catch, so that any compiler and any flags can be tried.
#pragma once

#include <string>

#include "results/text/text.hpp"
#include "workloads/data/corrupt/corrupt.hpp"

namespace corruption_digests {

using namespace retrial;

/// v = (7x + 13y + 29c + 41 i + 5 (xy mod 11)) mod 256, scaled.
inline data::ImageSet images(const data::Shape& shape, int scale) {
  data::ImageSet set{.name = "formula", .count = 3, .shape = shape, .classes = 2, .scale = scale, .labels = {0, 1, 0}};
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < shape.channels; ++c)
      for (int y = 0; y < shape.height; ++y)
        for (int x = 0; x < shape.width; ++x)
          set.pixels.push_back(
              static_cast<std::uint8_t>((7 * x + 13 * y + 29 * c + 41 * i + 5 * (x * y % 11)) % 256 * scale / 255));
  return set;
}

inline std::string line(const data::ImageSet& set, const std::string& name, int severity) {
  const std::vector<std::uint32_t> rows{0, 1, 2};
  const auto changed = corrupt::corrupted(set, rows, {.name = name, .severity = severity, .seed = 42});
  const std::string bytes(changed.pixels.begin(), changed.pixels.end());
  return name + " " + std::to_string(severity) + " " + std::to_string(set.shape.channels) + "x" +
         std::to_string(set.shape.height) + "x" + std::to_string(set.shape.width) + " " +
         results::hex16(variance::fnv1a64(bytes)) + "\n";
}

inline std::string report() {
  std::string text;
  for (const auto& [shape, scale] : {std::pair{data::Shape{3, 32, 32}, 255}, {{3, 16, 16}, 255}, {{1, 8, 8}, 16}})
    for (const auto& row : corrupt::table())
      for (int severity = 1; severity <= 5 && row.made != corrupt::Made::library; ++severity)
        text += line(images(shape, scale), row.name, severity);
  return text;
}

}  // namespace corruption_digests
