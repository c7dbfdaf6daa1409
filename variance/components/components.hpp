#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "variance/components/algebra.hpp"
#include "variance/numbers/estimate.hpp"

/// Components of the variance of a score: R = mean + sum of sources + interactions + noise. Variances are in the
/// squared unit of the scores. An estimate below 0 is reported as 0, along with the raw value.
namespace retrial::variance::inline components {

struct Component {
  std::string source;
  Estimate variance;         ///< Satterthwaite interval; no bounds if the estimate is 0
  double raw = 0.0;          ///< may be negative
  double share = 0.0;        ///< share of the sum of all components; 0 if nothing varies
  std::optional<double> df;  ///< degrees of freedom of the interval
};

/// One-way analysis of variance: runs in clusters (one search each, or one level of a source).
struct OneWay {
  std::int64_t clusters = 0, runs = 0;
  std::optional<double> msb,
      msw;          ///< mean squares between and within; msb absent for one cluster, msw for one run each
  double k0 = 0.0;  ///< (N - sum k_i^2 / N) / (r - 1): runs per cluster, if balanced
  std::optional<Component> between, within;
  std::optional<double> icc;  ///< between / (between + within), in [0, 1]; absent if nothing varies
  Estimate icc_interval;      ///< balanced: exact F interval; else without bounds
};
[[nodiscard]] OneWay oneway(const Clusters& clusters, double alpha = 0.05);

/// Two sources crossed: cells[row][column] holds the runs of one seed of each. One run in every cell: "interaction"
/// holds interaction and noise together, which cannot be separated. The same number n >= 2 of replicates with
/// every seed frozen: "interaction" and "noise" are separate.
struct Crossed {
  std::int64_t rows = 0, columns = 0, replicates = 0;
  std::vector<Component> components;  ///< row source, column source, interaction, noise (with replicates)
};
/// At least 2 x 2 cells, or InvalidInput.
[[nodiscard]] Crossed crossed(const std::vector<std::vector<std::vector<double>>>& cells, const std::string& row_source,
                              const std::string& column_source, double alpha = 0.05);

/// Replicates with every seed frozen, in one kernel mode.
struct NoiseStratum {
  std::int64_t runs = 0;
  bool bit_identical = false;  ///< the variance is exactly 0
  Estimate variance;           ///< chi-squared interval; no bounds if bit-identical
};
/// At least five replicates, or InvalidInput{runs}.
[[nodiscard]] NoiseStratum noise_stratum(std::span<const double> replicates, double alpha = 0.05);

}  // namespace retrial::variance::inline components
