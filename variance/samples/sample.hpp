#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace retrial::variance::inline samples {

/// Scores larger than this, and sets of scores whose largest is smaller (but not 0), are refused: the fourth power of a
/// difference in their last digit must still be a double. Another unit solves it.
constexpr double largest_size = 1e50, min_size = 1e-50;
/// InvalidInput{field} if no score reaches min_size, unless all are 0.
void require_sizes(const std::string& field, std::span<const double> scores, std::span<const double> more = {});

/// Valid scores: at least one, all finite and at most largest_size. A Sample cannot be built otherwise, so functions
/// that take one need no checks.
class Sample {
 public:
  /// InvalidInput{field} for no values, InvalidInput{field[i]} for a value that is not finite or too large.
  explicit Sample(std::vector<double> values, const std::string& field = "scores");

  [[nodiscard]] std::span<const double> values() const { return values_; }
  operator std::span<const double>() const { return values_; }  // NOLINT: a sample is its values
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(values_.size()); }
  double operator[](std::size_t i) const { return values_[i]; }

  /// In ascending order, so that sums do not depend on the order of the scores.
  [[nodiscard]] Sample sorted() const;
  [[nodiscard]] Sample negated() const;

 private:
  std::vector<double> values_;
};

/// Scores of two variants; when paired, pair i is candidate[i] and baseline[i].
struct TwoSamples {
  Sample candidate, baseline;
};

/// InvalidInput{baseline} unless both have as many scores.
void require_pairs(std::span<const double> candidate, std::span<const double> baseline);

/// candidate[i] - baseline[i]; InvalidInput{baseline} for unequal lengths.
[[nodiscard]] std::vector<double> differences_of(std::span<const double> candidate, std::span<const double> baseline);

}  // namespace retrial::variance::inline samples
