#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "variance/random/rng.hpp"
#include "workloads/data/augment/autoaugment.hpp"
#include "workloads/data/files/image_set.hpp"
#include "workloads/data/split/pixels.hpp"

namespace retrial::data::inline augment {

/// One step of an operator. It draws only from Stream(derive(derive(seed, its name), epoch), sample), so its result
/// does not depend on the batch of the sample or on the thread. Exactly one of the functions is set: most steps change
/// bytes, some change values = byte / scale before normalization, and at most one step of an operator converts bytes to
/// values itself. `from` and `to` do not overlap.
struct Step {
  std::string name;
  void (*bytes)(const photo::Picture& picture, variance::Stream& draws) = nullptr;
  void (*reading)(const Shape& shape, int scale, const std::uint8_t* from, float* to,
                  variance::Stream& draws) = nullptr;
  void (*values)(const Shape& shape, const float* from, float* to, variance::Stream& draws) = nullptr;
  int channels = 0;  ///< required number; 0: any
};

/// A value of the key `augment`: one or more steps in order: on bytes, then the one that converts bytes, then on
/// values.
struct Operator {
  std::string name, summary;
  std::vector<Step> steps;
};

/// All operators; "none" is not one of them.
/// shift1: dy, dx uniform in {-1, 0, 1}, zero fill.
/// crop_flip: padded by 4 zeros on each side, cropped at dy, dx uniform in {0..8}, mirrored if bounded(word, 2) is 1.
/// subpixel: dy, dx uniform in [-.5, .5], bilinear, zero fill. noise: x + .1 z, one normal per value, clipped to [0,
/// 1]. mix1: a sixth of the images clean, the others under one of nine corruptions (corrupt/mix.hpp), keyed by "mix".
/// autoaugment: see autoaugment.hpp; autoaugment_positive rotates in one direction only, with the draws of autoaugment.
[[nodiscard]] const std::vector<Operator>& augmentations();
/// InvalidInput("augment") for another name.
[[nodiscard]] const Operator& find_augmentation(const std::string& name);
/// The same with the key `rotate_sign`: positive replaces autoaugment by autoaugment_positive.
[[nodiscard]] const Operator& find_augmentation(const std::string& name, RotateSign sign);
/// The reason why the operator cannot be used on images of this shape; empty if it can.
[[nodiscard]] std::string augmentation_problem(const Operator& op, const Shape& shape);

/// The keys of one epoch's draws, one per step: derive(derive(seed, step), epoch), with the source seed of
/// augmentation.
using AugmentationKey = std::vector<std::uint64_t>;
[[nodiscard]] AugmentationKey augmentation_key(std::uint64_t seed, const Operator& op, std::uint64_t epoch);

/// Converts bytes to the input of a network: the operator, then normalization. Keeps its buffers between images.
class Augmenter {
 public:
  explicit Augmenter(const Shape& shape);
  /// `sample` is the position in the training part.
  void convert(const Operator& op, std::span<const std::uint64_t> keys, std::uint64_t sample, const PixelTable& table,
               const std::uint8_t* image, float* to);
  /// Only the steps on bytes; the result is valid until the next call.
  const std::uint8_t* changed(const Operator& op, std::span<const std::uint64_t> keys, std::uint64_t sample,
                              const std::uint8_t* image);

 private:
  Shape shape_;
  std::vector<std::uint8_t> bytes_, next_bytes_;
  std::vector<float> values_, next_values_;
};

/// Moves an image down by dy and right by dx; pixels from outside are 0.
void shift(const Shape& shape, const std::uint8_t* from, std::uint8_t* to, int dy, int dx);
/// The same by fractions of a pixel, bilinear.
void shift(const Shape& shape, const float* from, float* to, double dy, double dx);
/// Mirrors left and right in place.
void flip(const Shape& shape, std::uint8_t* image);

}  // namespace retrial::data::inline augment
