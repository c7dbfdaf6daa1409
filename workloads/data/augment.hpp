#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workloads/data/image_set.hpp"

namespace retrial::data {

/// Changes one byte image; draws from Stream(derive(derive(seed, operator), epoch), sample) alone, so neither the
/// batch a sample is in nor who prepares it changes it. `sample` is the place in the training part.
struct Operator {
  std::string name, summary;
  void (*apply)(const Shape& shape, const std::uint8_t* from, std::uint8_t* to, std::uint64_t key,
                std::uint64_t sample);
};

/// none is not among them. shift1: dy, dx uniform in {-1, 0, 1}, zero fill.
[[nodiscard]] const std::vector<Operator>& augmentations();
[[nodiscard]] const Operator& find_augmentation(const std::string& name);

/// The key of one epoch's draws: derive(derive(seed, name), epoch), seed the source seed of augmentation.
[[nodiscard]] std::uint64_t augmentation_key(std::uint64_t seed, const Operator& op, std::uint64_t epoch);

/// Moves an image down by dy and right by dx; what comes in from outside is 0.
void shift(const Shape& shape, const std::uint8_t* from, std::uint8_t* to, int dy, int dx);

}  // namespace retrial::data
