#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workloads/data/image_set.hpp"

namespace retrial::data {

/// Mean and population standard deviation of value = byte / scale per channel; a pixel enters a network as
/// (value - mean) / sd.
struct Normalisation {
  std::vector<double> mean, sd;
};
/// 0 and 1: the pixel is byte / scale.
[[nodiscard]] Normalisation no_normalisation(const ImageSet& set);
/// Of these rows, accumulated as 64-bit integer sums of v and v^2, so that no order of addition matters. A channel
/// without spread gets sd 1.
[[nodiscard]] Normalisation computed_normalisation(const ImageSet& set, std::span<const std::uint32_t> rows);

/// The 256 values a byte can become in each channel: conversion is a table look-up, equal on every machine.
/// With normalisation none the entry is byte / scale in float32, else ((byte / scale) - mean) / sd in double, rounded
/// once.
class PixelTable {
 public:
  PixelTable(const ImageSet& set, const Normalisation& normalisation);
  /// Writes one image of the set's shape.
  void convert(const std::uint8_t* image, float* to) const;

 private:
  std::vector<std::array<float, 256>> channels_;
  std::size_t plane_;
};

}  // namespace retrial::data
