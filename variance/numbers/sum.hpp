#pragma once

#include <cstddef>
#include <span>

namespace retrial::variance::inline numbers {

/// Sum in one fixed order: blocks of 128 values in index order, the sums of the blocks added as a balanced tree of
/// neighbors. The order depends on the number of values alone, so any number of threads that compute whole blocks
/// gives the same bits. The empty sum is 0. The error grows with log n (Higham 1993).
[[nodiscard]] double pairwise_sum(std::span<const double> values);

/// Compensated running sum (Neumaier 1974): unlike Kahan's, also accurate if a term exceeds the sum so far.
class Neumaier {
 public:
  void add(double term);
  [[nodiscard]] double value() const { return sum_ + compensation_; }

 private:
  double sum_ = 0.0, compensation_ = 0.0;
};

}  // namespace retrial::variance::inline numbers
