#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "variance/comparisons/intervals.hpp"
#include "variance/comparisons/status.hpp"
#include "variance/comparisons/test_outcome.hpp"
#include "variance/samples/sample.hpp"

/// Every test of two variants on a fixed number of runs: one row each. Lists, help and the shared property tests come
/// from this table.
namespace retrial::variance::inline comparisons {

struct TestSettings {
  Direction direction = Direction::none;  ///< which scores are better; required
  double alpha = 0.05, beta = 0.05;
  std::optional<double> gamma = {};  ///< absent: no share of pairs won was called meaningful
  Sides sides = Sides::one;
  double tie_limit = 0.5;                           ///< sign rules only: a larger share of tied pairs is INVALID (ties)
  std::optional<double> resolution = {};            ///< smallest step of the scores
  std::optional<double> margin = {};                ///< equivalence margin, in the unit of the scores
  std::optional<double> overlap = {};               ///< test rows / train rows, for the corrected resampled t
  double rho = 0.0;                                 ///< correlation of differences, for the Bayesian t
  double rope = 0.0;                                ///< half width of practical equivalence, for the Bayesian tests
  double tau = 0.2;                                 ///< for almost stochastic order
  WinMethod interval = WinMethod::clopper_pearson;  ///< for the share of pairs won
  std::int64_t resamples = 10'000;
  /// Key of the comparison: derive(derive(root, "comparison:" + candidate + "|" + baseline)). Each test derives its own
  /// key from it by purpose. InvalidInput{seed} if a test draws random numbers and it is absent.
  std::optional<std::uint64_t> key = {};
  bool operator==(const TestSettings&) const = default;
};

enum class Pairing { paired, unpaired };
enum class ScoreKind {
  numbers,     ///< any finite scores
  bits,        ///< 1 = right, 0 = wrong, one item per row
  five_by_two  ///< ten differences whose order matters
};
enum class Unit {
  score,     ///< statistic and estimate change sign with the scores
  estimate,  ///< only the estimate changes sign; the statistic counts, or has no sign
  share      ///< both count wins or shares: the same in either direction
};
enum class Evidence { p_value, posterior, bound };

struct ComparisonTest {
  std::string_view name, asks, when;
  /// The settings that it uses, except direction, alpha and sides: margin, overlap, rho, rope, tau, beta, gamma,
  /// resolution, interval, reps (resamples).
  std::string_view reads = {}, needs = {};
  [[nodiscard]] bool reads_setting(std::string_view setting) const;
  About about = About::level;
  Pairing pairing = Pairing::paired;
  std::int64_t min_runs = 2;  ///< min pairs, or runs of each variant; InvalidInput for fewer
  Unit unit = Unit::score;
  ScoreKind scores = ScoreKind::numbers;
  Evidence evidence = Evidence::p_value;
  bool ordinal = false;         ///< only the order of scores matters: a failed run can rank below all others
  bool shift_invariant = true;  ///< same result after adding a number to every score
  bool scale_invariant = true;  ///< same result after multiplying every score (and margin, rope) by a positive number
  /// Takes scores oriented so that higher is better, in an order that does not depend on their original order.
  TestOutcome (*run)(const TwoSamples&, const TestSettings&) = nullptr;
};

[[nodiscard]] std::span<const ComparisonTest> all_comparisons();
/// Null for a name that is not in the table.
[[nodiscard]] const ComparisonTest* find_comparison(std::string_view name);

/// Runs one test. InvalidInput for an unknown test, no direction, scores that are empty or not finite, unequal lengths
/// in a paired test, fewer scores than the test needs, settings out of range. The same scores in another order (pairs
/// kept together) give the same bits.
[[nodiscard]] TestOutcome compare(std::string_view test, std::vector<double> candidate, std::vector<double> baseline,
                                  const TestSettings& settings);

}  // namespace retrial::variance::inline comparisons
