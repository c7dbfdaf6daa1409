#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace retrial::data {

/// How the bytes of a file are laid out, as far as verification looks.
enum class Layout { cifar10, cifar100, idx_images, idx_labels };

/// A published file of a known data set. `bytes` and `sha256` are of the file as distributed (MNIST: the .gz).
struct OfficialFile {
  std::string set, name;
  std::optional<std::uint64_t> bytes;
  std::string sha256;
  Layout layout;
  std::string part;     ///< files of one part come together: train, test
  bool needed = false;  ///< a folder of this set without it is incomplete
};

/// CIFAR-10 and CIFAR-100 (binary version), MNIST, Fashion-MNIST.
[[nodiscard]] const std::vector<OfficialFile>& official_files();

}  // namespace retrial::data
