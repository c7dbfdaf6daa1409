#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "variance/random/rng.hpp"

/// Scores with a known truth, for the audit of rules. Every model has mean 0 and standard deviation 1.
namespace retrial::variance::inline audit {

enum class ScoreModel { gaussian, t3, lognormal, binomial, bimodal };
struct ScoreModelRow {
  ScoreModel model;
  std::string_view name, scores;
  bool symmetric = true;  ///< about its mean
};
[[nodiscard]] std::span<const ScoreModelRow> all_score_models();
[[nodiscard]] const ScoreModelRow& row_of(ScoreModel model);

/// Two variants: the baseline's spread is `spread` times the candidate's; the candidate is shifted until it wins a
/// share `win` of independent pairs, ties counted as half (binomial scores: its probability of a right answer is
/// shifted). The scores of a pair share the fraction `correlation` of their variance; runs in the same of `clusters`
/// equal stretches of the list share, within a variant, a shift of standard deviation `cluster_sd`.
struct PairModel {
  ScoreModel model = ScoreModel::gaussian;
  double win = 0.5;  ///< .5 with spread 1: identical variants
  double spread = 1.0;
  double correlation = 0.0;
  double cluster_sd = 0.0;
  std::int64_t clusters = 5;
};
struct ScorePairs {
  std::vector<double> candidate, baseline;
};

class PairSource {
 public:
  /// InvalidInput{win}, {spread}, {correlation}, {cluster_sd}, {clusters}. `spread` is 1 or 2.
  explicit PairSource(const PairModel& model);
  /// Shift of the candidate's scores: closed form for the gaussian, bisection on a fixed quadrature (exact sums for the
  /// binomial) otherwise.
  [[nodiscard]] double shift() const { return shift_; }
  /// Smallest step of the scores; absent for continuous scores.
  [[nodiscard]] std::optional<double> resolution() const;
  /// The words of the independent parts come first, pair by pair, the candidate's before the baseline's; then the words
  /// shared by pairs, then those of clusters: a correlation or a cluster effect changes no earlier draw.
  void draw(Stream stream, std::size_t pairs, ScorePairs& out) const;

 private:
  void correlate(Stream& stream, ScorePairs& out) const;
  void cluster(Stream& stream, ScorePairs& out) const;
  PairModel model_;
  double shift_ = 0.0;
  std::vector<double> candidate_law_, baseline_law_;  ///< counts only: P(X <= k); empty for continuous scores
};

/// Cluster of run i of n: consecutive runs, clusters as equal in size as possible.
[[nodiscard]] inline std::size_t cluster_of(std::size_t i, std::size_t n, std::int64_t clusters) {
  return i * static_cast<std::size_t>(clusters) / n;
}

}  // namespace retrial::variance::inline audit
