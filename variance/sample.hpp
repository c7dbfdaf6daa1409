#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace retrial::variance {

/// Scores that can be computed with: at least one, all finite. It cannot be built otherwise, so that no function that
/// takes one can return a number made of nothing.
class Sample {
 public:
  /// InvalidInput{field} of no values, InvalidInput{field[i]} of a value that is not finite.
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

}  // namespace retrial::variance
