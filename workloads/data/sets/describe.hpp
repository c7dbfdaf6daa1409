#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "workloads/data/sets/registry.hpp"
#include "workloads/data/split/pixels.hpp"

namespace retrial::data::inline sets {

/// What the files of a folder look like: the set's name in the registry and how to load it.
struct Recognised {
  std::string set;
  Source source;
};

/// By the names of the files; MNIST and Fashion-MNIST, which share them, by the digest of a published file, MNIST where
/// there is none. Without training images of these two, their test images alone. Throws Error{incomparable} that names
/// the files looked for.
[[nodiscard]] Recognised recognise(const std::filesystem::path& folder);

/// What is in a set.
struct Description {
  std::shared_ptr<const ImageSet> set;
  std::vector<std::uint32_t> class_counts;   ///< rows of each class
  std::vector<std::uint32_t> coarse_counts;  ///< of each coarse class; empty for a set without these
  Normalisation pixels;                      ///< mean and sd of byte / scale a channel, all rows
  results::Digest identity{};
};
[[nodiscard]] Description describe(std::shared_ptr<const ImageSet> set);

}  // namespace retrial::data::inline sets
