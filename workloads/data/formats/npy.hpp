#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// One array of a NumPy file.
struct NpyArray {
  std::string descr;                 ///< |u1, <i4, <i8, <f4 or <f8
  std::vector<std::uint64_t> shape;  ///< row-major; empty: one number
  std::vector<std::uint8_t> bytes;   ///< product(shape) items, little-endian
  FileDigest file;

  [[nodiscard]] std::size_t item_bytes() const { return descr == "|u1" ? 1 : descr.back() == '4' ? 4 : 8; }
  [[nodiscard]] bool whole_numbers() const { return descr[1] != 'f'; }
  [[nodiscard]] std::uint64_t items() const { return bytes.size() / item_bytes(); }
  [[nodiscard]] std::int64_t integer(std::size_t item) const;  ///< for whole numbers
  [[nodiscard]] double number(std::size_t item) const;         ///< for any type; may be NaN or infinite
};

/// NPY format 1.0 (NEP 1): 93 'NUMPY' 01 00, header length as little-endian 16-bit word, a dictionary of exactly the
/// keys descr, fortran_order (False) and shape in ASCII, blanks, LF, then the items. Anything else throws Error{usage}
/// naming the file, the key and its value; a missing file Error{incomparable}.
[[nodiscard]] NpyArray read_npy(const std::filesystem::path& file, bool hash = true);

/// The same without the items: their offset in the file, whose size has been checked against the shape. No digest.
struct NpyHeader {
  NpyArray array;
  std::uint64_t items_at = 0;
};
[[nodiscard]] NpyHeader read_npy_header(const std::filesystem::path& file);

/// Reorders images from row, column, channel (NumPy's order) to channel, row, column.
[[nodiscard]] std::vector<std::uint8_t> by_planes(std::span<const std::uint8_t> interleaved, const Shape& shape);

/// Two arrays of the user's own in one folder.
struct NpyNames {
  std::string images = "images.npy", labels = "labels.npy";
  std::uint32_t test = 0;  ///< test rows, the last ones; 0: a fifth of all rows, drawn by a constant permutation
};

/// Images of bytes, (n, height, width), (n, height, width, channels) or (n, values), and as many labels, whole numbers
/// from 0 to classes - 1 that all occur. The set is called npy; its shape is part of its identity. Throws Error{usage}
/// naming the file for another dtype or shape, an unequal number of labels, or labels with gaps; Error{incomparable}
/// without a file; InvalidInput("npy_test") if no row would be left for training.
[[nodiscard]] ImageSet load_npy(const std::filesystem::path& folder, const NpyNames& names = {}, bool hash = true);

/// CIFAR-10.1 version 6 (Recht, Roelofs, Schmidt, Shankar 2018): cifar10.1_v6_data.npy (n, 32, 32, 3) of bytes and
/// cifar10.1_v6_labels.npy (n) of integers 0 to 9. A test set only, with the classes of CIFAR-10; stored here as
/// planes.
[[nodiscard]] ImageSet load_cifar10_1(const std::filesystem::path& folder, bool hash = true);

}  // namespace retrial::data::inline formats
