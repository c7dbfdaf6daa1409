#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "variance/numbers/dense.hpp"

/// The runs of y = mean + sum_s Z_s effect_s + noise as orthonormal contrasts. For .cpp files of `reml`. The mean
/// leaves n - 1 contrasts; q of them span the effects, and all others hold noise alone, so that the sum of their
/// squares is enough. The restricted likelihood (Patterson and Thompson 1971) then has matrices of q rows, one less
/// than there are levels for each factor of a connected table: a table of 16 x 16 cells has 30, and a thousand fits of
/// it take a fraction of a second.
namespace retrial::variance::inline components::reml_parts {

/// Levels numbered from 0 by first appearance.
struct Effect {
  std::vector<std::size_t> level;  ///< level of each run
  std::size_t levels = 0;
};
[[nodiscard]] Effect effect_of(const std::vector<std::uint32_t>& names);

/// Q: orthonormal basis of the part the effects explain beyond the mean; e: unit vector of the mean.
struct Contrasts {
  std::size_t runs = 0;
  std::vector<Effect> factors;
  std::vector<std::size_t> first;              ///< column of each factor's first level, then the number of columns
  std::vector<std::size_t> basis;              ///< columns of Z whose centered span is that of Q
  Matrix root{0, 0};                           ///< lower triangle L with Q = (centered columns of the basis) L'^-1
  std::vector<Matrix> kernels;                 ///< for each factor Q'Z_s Z_s'Q
  std::vector<std::vector<double>> with_mean;  ///< for each factor Q'Z_s Z_s'e
  std::vector<double> own_mean;                ///< for each factor e'Z_s Z_s'e
  [[nodiscard]] std::size_t size() const { return basis.size(); }
  /// Number of contrasts that hold noise alone.
  [[nodiscard]] std::size_t rest() const { return runs - 1 - basis.size(); }
};
[[nodiscard]] Contrasts contrasts_of(std::vector<Effect> factors, std::size_t runs);

/// One set of scores in the basis of its contrasts.
struct Contrasted {
  double mean = 0.0;
  std::vector<double> values;  ///< Q'y
  double rest = 0.0;           ///< sum of the squares of the contrasts that hold noise alone
};
[[nodiscard]] Contrasted contrasted(const Contrasts& contrasts, std::span<const double> y);

}  // namespace retrial::variance::inline components::reml_parts
