#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/numbers/estimate.hpp"

/// Evidence about a mean that is valid at every number of observations: you may look, and stop, at any time.
namespace retrial::variance::inline sequential {

/// log of the right-Haar Bayes factor of a t statistic of n observations against mean 0, standardized effect ~ N(0, g):
/// an e-value for every standard deviation. An infinite t (no spread) gives the finite limit. n >= 2, g > 0.
[[nodiscard]] double log_t_e(double t, std::int64_t n, double g = 1.0);
/// log of an e-value of the signs of values, given their sizes: holds for every law that is symmetric about 0, discrete
/// ones too. Equal weights on eight effects, in root mean squares of the sizes so far; values of at most `tie` are 0
/// and carry no evidence.
[[nodiscard]] double log_sign_e(std::span<const double> values, double tie = 0.0);
/// Smallest |t| with log_t_e >= log(1 / alpha); absent if no t suffices (n <= 4 at the defaults).
[[nodiscard]] std::optional<double> t_boundary(std::int64_t n, double alpha = 0.05, double g = 1.0);
/// mean +- t_boundary sd / sqrt(n); no bounds without a boundary.
[[nodiscard]] Estimate t_sequence(std::span<const double> values, double alpha = 0.05, double g = 1.0);

/// Bets on scores in [0, 1] (Waudby-Smith and Ramdas 2024): wealth of a bettor who starts with 1 and bets that the mean
/// is above m (`up`) or below m (`down`); each is an e-value against mean = m.
struct Wealth {
  double log_up = 0.0, log_down = 0.0;
};
class BettingWealth {
 public:
  explicit BettingWealth(double m);  ///< m in (0, 1)
  Wealth add(double value);          ///< wealth so far; value in [0, 1], or InvalidInput{values[i]}

 private:
  double m_, sum_ = 0.0, squares_ = 0.0;  ///< sums of the values; of their distances from the running mean
  std::size_t count_ = 0;
  Wealth wealth_;
};
/// Wealth after all values; InvalidInput{values[i]} outside [0, 1]; m in (0, 1).
[[nodiscard]] Wealth betting_wealth(std::span<const double> values, double m);

/// {m: max(up, down) / 2 < 1 / alpha}, on 1,000 means, ends bisected, intersected with all earlier intervals (`add` one
/// value at a time). Total error alpha over all times.
class BettingSequence {
 public:
  explicit BettingSequence(double alpha = 0.05);
  void add(double value);  ///< in [0, 1], or InvalidInput{values[i]}
  /// Bounds are absent once no mean is left: the values drift, or violate the model.
  [[nodiscard]] Estimate interval() const;

 private:
  struct Bettor {
    double mean, log_up = 0.0, log_down = 0.0;
  };
  [[nodiscard]] bool excluded(const Bettor& bettor) const;
  [[nodiscard]] double edge(double inside, double outside) const;
  double alpha_;
  std::vector<double> values_;
  std::vector<Bettor> bettors_;
  double low_ = 0.0, high_ = 1.0;
  double sum_ = 0.0, squares_ = 0.0;  ///< sums of the values; of their distances from the running mean
};

/// Sum of squared distances of the values, in [0, 1], from the mean of those before (1/2 at first).
[[nodiscard]] double predictable_variance(std::span<const double> values);
/// mean +- gamma-exponential bound of the predictable variance / n, level 1 - alpha, clipped to [0, 1].
[[nodiscard]] Estimate bernstein_sequence(std::span<const double> values, double alpha = 0.05, double v_opt = 1.0);

}  // namespace retrial::variance::inline sequential
