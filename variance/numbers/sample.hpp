#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace retrial::variance::inline numbers {

/// Scores larger than this, or sets of scores whose largest is smaller (and not 0), are refused: the fourth power of a
/// difference in their last digit must still be a double. In another unit they can be judged.
constexpr double largest_size = 1e50, min_size = 1e-50;
/// InvalidInput{field} for scores none of which reaches min_size, unless all are 0.
void require_sizes(const std::string& field, std::span<const double> scores, std::span<const double> more = {});

/// Scores that can be computed with: at least one, all finite and up to largest_size. It cannot be built otherwise, so
/// that no function that takes one can return a number made of nothing.
class Sample {
 public:
  /// InvalidInput{field} of no values, InvalidInput{field[i]} of a value that is not finite or too large.
  explicit Sample(std::vector<double> values, const std::string& field = "scores");

  [[nodiscard]] std::span<const double> values() const { return values_; }
  operator std::span<const double>() const { return values_; }  // NOLINT: a sample is its values
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(values_.size()); }
  double operator[](std::size_t i) const { return values_[i]; }

  /// In ascending order: sums over it do not depend on the order in which the scores came.
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

}  // namespace retrial::variance::inline numbers
