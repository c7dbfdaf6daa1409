#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// CIFAR-10-C as published (Hendrycks and Dietterich 2019; Zenodo 2535967): a folder with labels.npy (50,000) and a
/// file a corruption, NAME.npy, bytes of shape (50000, 32, 32, 3): the 10,000 test images at severity 1, then at 2, ...
/// Only what is asked for is read.
class Cifar10C {
 public:
  /// Checks labels.npy: they must repeat themselves five times and, where the labels of the CIFAR-10 test images are
  /// given, be those. Throws Error naming the file: incomparable when labels or all corruptions are missing, usage when
  /// the content is not of this format.
  explicit Cifar10C(std::filesystem::path folder, std::span<const std::uint16_t> test_labels = {});

  /// Corruptions whose file is there, by the names of the table (elastic for elastic_transform.npy), in its order.
  [[nodiscard]] const std::vector<std::string>& available() const { return available_; }
  /// Type, shape and size of every file that is there, as `load` asks for them; Error{usage} naming the first that is
  /// another.
  void require_arrays() const;
  /// 10,000 images by planes with their labels. InvalidInput for a severity outside 1 .. 5, Error for an unknown name,
  /// a missing file (incomparable) or one of another shape or type (usage). No digest of the file is taken: the set has
  /// one of its own.
  [[nodiscard]] ImageSet load(const std::string& name, int severity) const;

 private:
  std::filesystem::path folder_;
  std::vector<std::uint16_t> labels_;
  std::vector<std::string> available_;
};

}  // namespace retrial::data::inline formats
