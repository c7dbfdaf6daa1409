#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "variance/numbers/estimate.hpp"

/// Laws of the largest difference among several means, by Gauss-Legendre quadrature to about ten digits.
namespace retrial::variance::inline groups {

/// P(Q <= q): range of k standard normals over an independent sqrt(chi^2_df / df); df may be infinite. k >= 2, df >= 1.
[[nodiscard]] double studentised_range_cdf(double q, std::int64_t k, double df);
/// q with P(Q <= q) = p, 0 < p < 1 - 1e-10; p < 1 for infinite df.
[[nodiscard]] double studentised_range_quantile(double p, std::int64_t k, double df);

class Tabulated;
/// The law of one number of means, for many values: the range of normals is computed once and kept.
class StudentisedRange {
 public:
  /// InvalidInput{k} below 2.
  explicit StudentisedRange(std::int64_t k);
  /// As the functions above.
  [[nodiscard]] double cdf(double q, double df) const;
  [[nodiscard]] double quantile(double p, double df) const;

 private:
  std::shared_ptr<const Tabulated> unstudentised_;
};

struct PairOfMeans {
  std::size_t first = 0, second = 0;
  Estimate difference;  ///< first - second, simultaneous level 1 - alpha
  double p = 1.0;       ///< two-sided, adjusted for all pairs; not below 1e-10, which the quadrature resolves
};
/// Tukey's honest differences (Tukey and Kramer for unequal sizes) of independent groups; all pairs, first < second.
/// Not for scores that share seeds, whose pairing it would ignore. InvalidInput below two groups, below two scores per
/// group, if no group varies, and for alpha up to 1e-9.
[[nodiscard]] std::vector<PairOfMeans> tukey(std::span<const std::vector<double>> groups, double alpha = 0.05);

/// P(max |T_i| <= d), or P(max T_i <= d), for k means against one control; `lambda[i]` = sqrt(n_i / (n_i + n_0)).
[[nodiscard]] double dunnett_cdf(double d, std::span<const double> lambda, double df, bool two_sided);
/// d with P(max |T_i| <= d) = p, or P(max T_i <= d) = p, 0.5 < p < 1 - 1e-10.
[[nodiscard]] double dunnett_quantile(double p, std::span<const double> lambda, double df, bool two_sided);
struct AgainstControl {
  double statistic = 0.0, p_two = 1.0, p_greater = 1.0;  ///< adjusted for all groups
  Estimate difference;                                   ///< group - control, simultaneous level 1 - alpha, two-sided
};
/// Dunnett 1955: each group against `control`, pooled variance. InvalidInput as above.
[[nodiscard]] std::vector<AgainstControl> dunnett(std::span<const std::vector<double>> groups,
                                                  std::span<const double> control, double alpha = 0.05);

}  // namespace retrial::variance::inline groups
