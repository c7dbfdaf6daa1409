#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline split {

/// Mean and population standard deviation of value = byte / scale per channel; a pixel enters a network as
/// (value - mean) / sd.
struct Normalisation {
  std::vector<double> mean, sd;
};
/// 0 and 1: the pixel is byte / scale.
[[nodiscard]] Normalisation no_normalisation(const ImageSet& set);
/// Computed from these rows with 64-bit integer sums of v and v^2, so that the order of addition does not matter. A
/// constant channel gets sd 1.
[[nodiscard]] Normalisation computed_normalisation(const ImageSet& set, std::span<const std::uint32_t> rows);

/// The words of the key `normalise`: default, none, computed, paper, common.
[[nodiscard]] const std::vector<std::string>& normalisation_names();
/// default: none for the digits, computed elsewhere. paper and common: the mean and sd published for CIFAR-10 (also
/// used for CIFAR-10.1) and CIFAR-100. Two sds of CIFAR-10 circulate: `paper` has the mean of per-image sds (.2023
/// .1994 .2010), `common` the sd of all pixels (.2470 .2435 .2616). InvalidInput("normalise") for another word, or if
/// nothing is published for the set.
[[nodiscard]] Normalisation make_normalisation(const std::string& how, const ImageSet& set,
                                               std::span<const std::uint32_t> rows);

/// The 256 possible values of a byte in each channel: conversion is a table look-up, equal on every machine. Without
/// normalization an entry is byte / scale in float32, else ((byte / scale) - mean) / sd in double, rounded once.
class PixelTable {
 public:
  PixelTable(const ImageSet& set, const Normalisation& normalisation);
  /// Writes one image of the set's shape.
  void convert(const std::uint8_t* image, float* to) const;
  /// byte / scale in float32, without normalization: the input of operators on floats.
  void unit(const std::uint8_t* image, float* to) const;
  /// Only the normalization, for values from `unit`: (value - mean) / sd in double, rounded once.
  void normalise(const float* values, float* to) const;
  [[nodiscard]] int scale() const { return scale_; }
  /// The values themselves, for a kernel.
  [[nodiscard]] const std::vector<std::array<float, 256>>& channels() const { return channels_; }

 private:
  std::vector<std::array<float, 256>> channels_;
  std::size_t plane_;
  int scale_;
  Normalisation normalisation_;
};

}  // namespace retrial::data::inline split
