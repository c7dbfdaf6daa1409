#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "variance/random/rng.hpp"
#include "workloads/data/images/image.hpp"

/// Changes of small images in values, not in bytes, for tests on the digits. Values may leave 0 to 1.
namespace retrial::corrupt {

/// One kind with its levels; a distribution is named "uniform_2": kind and level, counted from 1.
struct Shift {
  std::string name;  ///< also the key of its draws
  std::string summary;
  std::vector<double> levels;
  Image (*op)(const Image& image, double level, variance::Stream& draws) = nullptr;
};
/// uniform x + 2 l (u - 1/2), l .1 to .5, not clipped; gaussian x + l z, l .1 to .3; contrast .4 about the mean of the
/// image; brightness + .3; box_blur 3 x 3 with zeros outside, sum / 9; shift by one pixel along the row, circular;
/// impulse: one draw per value, below .05 black, above .95 white. All but uniform, box_blur and shift are clipped.
[[nodiscard]] const std::vector<Shift>& shifts();
/// The thirteen names of distributions, "uniform_1" to "impulse_1", in the order of the table.
[[nodiscard]] std::vector<std::string> shift_names();

struct NamedShift {
  const Shift* shift = nullptr;
  int level = 1;  ///< counted from 1: the severity of the key of its draws
};
/// Error{usage} with the nearest name and all names for an unknown one.
[[nodiscard]] NamedShift find_shift(std::string_view name);

/// The values of these rows of a set, image after image, rounded once to float. The index of an image is its row, its
/// draws are Stream(derive(derive(seed, kind), level), row), so one seed gives all networks the same images.
[[nodiscard]] std::vector<float> shifted(const data::ImageSet& set, std::span<const std::uint32_t> rows,
                                         const NamedShift& shift, std::uint64_t seed);

}  // namespace retrial::corrupt
