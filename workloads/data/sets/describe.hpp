#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "workloads/data/sets/registry.hpp"
#include "workloads/data/split/pixels.hpp"

namespace retrial::data::inline sets {

/// A recognized folder: the set's name in the registry and how to load it.
struct Recognised {
  std::string set;
  Source source;
};

/// Recognises a set by the names of the files. MNIST and Fashion-MNIST share them and are recognized by the digest of a
/// published file, else MNIST; without training images, only their test images are used. images.npy with labels.npy are
/// the set npy. Throws Error{incomparable}
/// naming the expected files.
[[nodiscard]] Recognised recognise(const std::filesystem::path& folder);

/// The content of a set.
struct Description {
  std::shared_ptr<const ImageSet> set;
  std::vector<std::uint32_t> class_counts;   ///< rows of each class
  std::vector<std::uint32_t> coarse_counts;  ///< count of each coarse class; empty for a set without coarse classes
  Normalisation pixels;                      ///< mean and sd of byte / scale per channel, all rows
  results::Digest identity{};
};
[[nodiscard]] Description describe(std::shared_ptr<const ImageSet> set);

}  // namespace retrial::data::inline sets
