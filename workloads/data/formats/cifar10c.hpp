#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// CIFAR-10-C as published (Hendrycks and Dietterich 2019; Zenodo 2535967): a folder with labels.npy (50,000) and one
/// file per corruption, NAME.npy, bytes of shape (50000, 32, 32, 3): the 10,000 test images at severity 1, then at 2,
/// ... Only requested corruptions are read.
class Cifar10C {
 public:
  /// Checks labels.npy: the labels must repeat five times and match those of the CIFAR-10 test images, if given. Throws
  /// Error naming the file: incomparable if labels or all corruptions are missing, usage if the content does not have
  /// this format.
  explicit Cifar10C(std::filesystem::path folder, std::span<const std::uint16_t> test_labels = {});

  /// Corruptions whose file exists, by the names of the table (elastic for elastic_transform.npy), in its order.
  [[nodiscard]] const std::vector<std::string>& available() const { return available_; }
  /// Checks type, shape and size of every file that exists, as `load` does; Error{usage} naming the first wrong file.
  void require_arrays() const;
  /// 10,000 images by planes with their labels. InvalidInput for a severity outside 1 .. 5, Error for an unknown name,
  /// a missing file (incomparable) or another shape or type (usage). No digest of the file is computed: the set has a
  /// digest.
  [[nodiscard]] ImageSet load(const std::string& name, int severity) const;

 private:
  std::filesystem::path folder_;
  std::vector<std::uint16_t> labels_;
  std::vector<std::string> available_;
};

}  // namespace retrial::data::inline formats
