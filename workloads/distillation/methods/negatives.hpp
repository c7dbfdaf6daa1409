#pragma once

#include <cstdint>
#include <vector>

namespace retrial::distillation::inline methods {

/// Negatives of method crd: places of samples of other classes in the training part. Each sample and epoch has its own
/// stream, Stream(derive(derive(seed, "crd"), epoch), place), so the batch and the loading thread do not change them.
/// Without replacement if there are enough.
class Negatives {
 public:
  /// `labels` by place; `count` per sample.
  Negatives(std::vector<std::int64_t> labels, std::uint64_t seed, std::int64_t count);
  /// Writes `count` places. Throws InvalidInput if there is no other class.
  void draw(std::uint32_t place, std::int64_t epoch, std::int64_t* to);

 private:
  std::vector<std::int64_t> labels_;
  std::uint64_t key_;
  std::size_t count_;
  std::vector<std::vector<std::int64_t>> others_;  ///< by class
  std::vector<std::int64_t> left_;
};

}  // namespace retrial::distillation::inline methods
