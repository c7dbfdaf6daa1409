#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Splits of one data set into train, validation and test rows as Bouthillier et al. 2021 draw them: out of bootstrap,
/// so that the size of the training set does not depend on the number of splits, and test rows are never used for
/// training.
namespace retrial::variance::inline sources {

/// Row numbers of the data set. Rows may repeat within a set; no row is in two sets.
struct Split {
  std::vector<std::uint32_t> train, valid, test;
};

/// Sizes of the three sets over all classes. train >= 1; valid and test may be 0.
struct SplitSizes {
  std::uint32_t train = 0, valid = 0, test = 0;
};

/// Splits each class by itself: totals are distributed in proportion to class sizes by largest remainder (equal
/// remainders: the lower class first); per class, rows of the class in file order, train, then validation, then test
/// rows, each with replacement from the rows that earlier sets did not use. `classes[row]` is the class of a row. Each
/// set is in class order. `seed` is the source seed of "data-split". A class that leaves no row for a later set is
/// drawn again with the next redraw, at most 100 times, then InvalidInput{classes} names it.
[[nodiscard]] Split stratified_oob(std::span<const std::uint16_t> classes, SplitSizes sizes, std::uint64_t seed);

/// `total` distributed in proportion to `sizes` by largest remainder; equal remainders: the lower index first.
/// InvalidInput{sizes} if they sum to 0.
[[nodiscard]] std::vector<std::uint32_t> largest_remainder(std::uint32_t total, std::span<const std::uint32_t> sizes);

}  // namespace retrial::variance::inline sources
