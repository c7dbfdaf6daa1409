#pragma once

#include <array>
#include <string_view>

#include "variance/random/rng.hpp"
#include "workloads/data/augment/photo.hpp"

namespace retrial::data::inline augment {

/// The operations of AutoAugment (Cubuk, Zoph, Mane, Vasudevan, Le 2019) that the policy for CIFAR-10 uses.
enum class Op {
  shear_y,
  translate_x,
  translate_y,
  rotate,
  color,
  contrast,
  brightness,
  sharpness,
  invert,
  solarize,
  posterize,
  autocontrast,
  equalize
};

/// One operation with its probability and its magnitude index 0 to 9.
struct PolicyStep {
  Op op;
  double probability;
  int magnitude;
};
using SubPolicy = std::array<PolicyStep, 2>;
/// The 25 pairs for CIFAR-10. Entry 16 has probability .8, as "The State of Knowledge Distillation for
/// Classification" used it; other copies of the policy have .6.
[[nodiscard]] const std::array<SubPolicy, 25>& cifar10_policy();

/// Positive: rotations in one direction only, as in that paper's program.
enum class RotateSign { both, positive };

/// Applies an operation at a magnitude index. `negative` matters for shear, translate, rotate and the four enhancers
/// (factor 1 - v instead of 1 + v) only. The shape must have three channels.
void apply(const photo::Picture& picture, Op op, int magnitude, bool negative);

/// One pair, uniformly, each operation with its probability. Always draws all five: index, u1, sign1, u2, sign2;
/// sign is bounded(word, 2), 1 negative.
void autoaugment(const photo::Picture& picture, variance::Stream& draws, RotateSign sign);

}  // namespace retrial::data::inline augment
