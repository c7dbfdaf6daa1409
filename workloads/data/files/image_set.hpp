#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"

namespace retrial::data::inline files {

/// Channels, height and width of one image.
struct Shape {
  int channels = 1, height = 0, width = 0;
  [[nodiscard]] std::size_t pixels() const;
  bool operator==(const Shape&) const = default;
};

/// A file that was read; no digest if the user asked to check sizes only.
struct FileDigest {
  std::string name;
  std::uint64_t bytes = 0;
  std::optional<results::Digest> sha256;
};

/// The published division of a set. With a `base`, all rows are permuted by derive(0, base) and then cut; with an empty
/// one, the first `train` rows are the training files and the others the test files.
struct Division {
  std::uint32_t train = 0, test = 0;
  std::string base = {};
};

/// Images as stored in their files: n records of channels, rows, columns, one byte each. value = byte / scale.
struct ImageSet {
  std::string name;
  std::uint32_t count = 0;
  Shape shape;
  bool shape_in_identity = false;  ///< the files decide on the shape, not the name of the set
  int classes = 0;
  int scale = 255;
  std::vector<std::uint8_t> pixels;        ///< count * shape.pixels() bytes
  std::vector<std::uint16_t> labels;       ///< count of them, each below `classes`
  std::vector<std::uint16_t> coarse = {};  ///< a second label of each record if the files have one, else empty
  std::vector<std::string> class_names, coarse_names = {};  ///< in the order of the labels; empty: unknown
  std::vector<FileDigest> files;                            ///< empty for an embedded set
  Division published;

  [[nodiscard]] const std::uint8_t* image(std::uint32_t row) const { return pixels.data() + row * shape.pixels(); }
};

/// SHA-256 over the records (pixels, then the label in one byte, or in two, little-endian, above 256 classes), after
/// "shape CxHxW\n" where the shape is part of it. Trials are comparable only if it agrees.
[[nodiscard]] results::Digest identity(const ImageSet& set);

}  // namespace retrial::data::inline files
