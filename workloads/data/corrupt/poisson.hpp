#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace retrial::corrupt {

/// P(X <= k), k = 0, 1, ..., of a Poisson variable, added up in double from e^-mean until another term changes nothing.
/// mean in [0, 700].
[[nodiscard]] std::vector<double> poisson_cdf(double mean);
/// Smallest k with cdf[k] >= u, the last one where rounding leaves none.
[[nodiscard]] std::int64_t poisson_inverse(const std::vector<double>& cdf, double u);

/// The distributions of every byte v of an image, mean rate * (v / scale). Made once for each rate and scale and kept.
using PoissonTables = std::array<std::vector<double>, 256>;
[[nodiscard]] const PoissonTables& poisson_tables(double rate, int scale);

}  // namespace retrial::corrupt
