#pragma once

#include <cstdint>
#include <vector>

namespace retrial::distillation::inline keys {

/// What method crd contrasts a sample with: places of other classes in the training part. Those of one sample and epoch
/// come from a stream of their own, Stream(derive(derive(seed, "crd"), epoch), place), so neither the batch nor whoever
/// loads it changes them. Without replacement while there are enough.
class Negatives {
 public:
  /// `labels` by place; `count` a sample.
  Negatives(std::vector<std::int64_t> labels, std::uint64_t seed, std::int64_t count);
  /// Writes `count` places. Throws InvalidInput when there is no other class.
  void draw(std::uint32_t place, std::int64_t epoch, std::int64_t* to);

 private:
  std::vector<std::int64_t> labels_;
  std::uint64_t key_;
  std::size_t count_;
  std::vector<std::vector<std::int64_t>> others_;  ///< by class
  std::vector<std::int64_t> left_;
};

}  // namespace retrial::distillation::inline keys
