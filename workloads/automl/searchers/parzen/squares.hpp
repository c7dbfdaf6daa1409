#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace retrial::automl::inline searchers::inline parzen {

struct SquaresAxis {
  const double* mean;
  const double* inverse;
  double at;
};
/// from[i] - sum over axes of ((at - mean[i]) * inverse[i])^2, the axes in order. Writes those of at least `least` one
/// after the other, with their places, and returns their number; `values` and `places` have room for all.
std::size_t less_squares(const double* from, std::span<const SquaresAxis> axes, std::size_t count, double least,
                         double* values, std::uint32_t* places);

}  // namespace retrial::automl::inline searchers::inline parzen
