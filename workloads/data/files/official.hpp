#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline files {

/// Layout of a file, as far as verification reads it.
enum class Layout { cifar10, cifar100, idx_images, idx_labels };

/// A published file of a known data set. `bytes` and `sha256` are of the file as distributed (MNIST: the .gz).
struct OfficialFile {
  std::string set, name;
  std::optional<std::uint64_t> bytes;
  std::string sha256;
  Layout layout;
  std::string part;      ///< files of one part belong together: train, test
  bool needed = false;   ///< a folder of this set without it is incomplete
  std::string md5 = {};  ///< if the authors publish one, of the same bytes
};

/// CIFAR-10 and CIFAR-100 (binary version), MNIST, Fashion-MNIST.
[[nodiscard]] const std::vector<OfficialFile>& official_files();

/// The set whose published file has these bytes; nothing for other bytes.
[[nodiscard]] const OfficialFile* published_as(const FileDigest& file);

/// `set` if every file is one of its published files, else `set`-unofficial: with other bytes no published claim about
/// the set can be confirmed or refuted. A file without a digest does not count as official.
[[nodiscard]] std::string official_or_not(const std::string& set, const std::vector<FileDigest>& files);

}  // namespace retrial::data::inline files
