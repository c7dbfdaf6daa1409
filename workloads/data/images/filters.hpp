#pragma once

#include <vector>

#include "workloads/data/images/image.hpp"

/// Linear filters and resampling in double, with sums in a fixed order: the building blocks of corruptions.
namespace retrial::corrupt {

/// Values outside an image a b c d: the edge (a a | d d), the mirror without the edge (c b | c b), the mirror with it
/// (b a | d c).
enum class Border { replicate, reflect101, symmetric };
/// The place in 0 .. n - 1 that any place i maps to.
[[nodiscard]] int inside(int i, int n, Border border);

struct Gaussian {
  double sigma = 0;
  double truncate = 4;  ///< radius floor(truncate sigma + 1/2)
  Border border = Border::replicate;
};
/// Along rows, then along columns, each channel by itself.
[[nodiscard]] Image filtered(const Image& image, const Gaussian& gaussian);

/// 5 x 5, row by row: the disk a^2 + b^2 <= radius^2, radius < 2.5, normalized and smoothed by the outer product of
/// (k, 1 - 2k, k), k = e / (1 + 2e), e = exp(-1 / (2 alias^2)).
[[nodiscard]] std::vector<double> disk_kernel(double radius, double alias);
/// Correlation with an odd square kernel; its zeros are skipped.
[[nodiscard]] Image correlated(const Image& image, const std::vector<double>& kernel, Border border);

/// 2 radius + 1 weights e^(-i^2 / 2 sigma^2), i = 0, 1, ..., normalized: a motion from one side.
[[nodiscard]] std::vector<double> motion_weights(int radius, double sigma);
/// Sum of weight i at the place moved by ceil(i sin - 1/2) down and ceil(i cos - 1/2) right, border replicated.
[[nodiscard]] Image moved(const Image& image, const std::vector<double>& weights, double degrees);

/// The center enlarged by z >= 1: of each side n, m = ceil(n / z) pixels from floor((n - m) / 2) become
/// round-half-even(m z), bilinear with the ends on the ends, of which the n in the middle stay. Quotient and product
/// are rounded to doubles, as in NumPy. Sides of at least 2.
[[nodiscard]] Image zoomed(const Image& image, double z);

/// Between the four neighbors of (y, x), pixel centres at whole numbers.
[[nodiscard]] double bilinear(const Image& image, int channel, double y, double x, Border border);

}  // namespace retrial::corrupt
