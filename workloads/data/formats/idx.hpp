#pragma once

#include <filesystem>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// A pair of IDX files (LeCun, Cortes, Burges), plain or gzip'd: gray images of unsigned bytes, labels 0 to 9.
/// Big-endian header: 00 00, element type (08: unsigned byte), rank, then one 32-bit word per dimension; exactly their
/// product of bytes follows. All rows are training rows until a division is set. Throws Error naming the file:
/// incomparable if it cannot be read, usage with expected and found values if it does not have this format.
[[nodiscard]] ImageSet load_idx(const std::filesystem::path& images, const std::filesystem::path& labels,
                                bool hash = true);

/// `set` is mnist or fashion, 28 x 28, files train-images-idx3-ubyte[.gz] and so on in `folder`. `files` "": training
/// files first, then test files, which is the published division. "t10k": only the test files, cut after four fifths
/// (8,000 and 2,000) of the order derive(0, "mnist-base"). Files with the digests of the other set are refused. The
/// name is `set` if every digest is the published one, else `set`-unofficial. InvalidInput for another `files`.
[[nodiscard]] ImageSet load_mnist(const std::string& set, const std::filesystem::path& folder, const std::string& files,
                                  bool hash = true);

/// Checks one file of images or of labels as load_mnist does: throws its Error.
enum class IdxKind { images, labels };
void check_idx_file(IdxKind kind, const std::filesystem::path& file);

}  // namespace retrial::data::inline formats
