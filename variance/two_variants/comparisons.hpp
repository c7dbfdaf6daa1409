#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "variance/numbers/sample.hpp"
#include "variance/two_variants/direction.hpp"
#include "variance/two_variants/test_outcome.hpp"
#include "variance/two_variants/win.hpp"

/// Every test of two variants on a number of runs fixed beforehand: one row each. Lists, help and the shared property
/// tests come from this table.
namespace retrial::variance::inline two_variants {

struct TestSettings {
  Direction direction = Direction::none;  ///< which scores are better; required
  double alpha = 0.05, beta = 0.05, gamma = 0.75;
  Sides sides = Sides::one;
  double tie_limit = 0.5;                           ///< of sign rules: a larger share of tied pairs is INVALID (ties)
  std::optional<double> resolution;                 ///< smallest step of the scores
  std::optional<double> margin;                     ///< of equivalence, in the unit of the scores
  std::optional<double> overlap;                    ///< rows of test over train, of the corrected resampled t
  double rho = 0.0;                                 ///< correlation of differences, of the Bayesian t
  double rope = 0.0;                                ///< half width of practical equivalence, of the Bayesian tests
  double tau = 0.2;                                 ///< of almost stochastic order
  WinMethod interval = WinMethod::clopper_pearson;  ///< of the share of pairs won
  std::int64_t resamples = 10'000;
  /// Key of the comparison: derive(derive(root, "comparison:" + candidate + "|" + baseline)). Each test derives its own
  /// key from it by purpose. InvalidInput{seed} when a test draws and it is absent.
  std::optional<std::uint64_t> key;
};

enum class Pairing { paired, unpaired };
enum class ScoreKind {
  numbers,     ///< any finite scores
  bits,        ///< 1 = right, 0 = wrong, an item a row
  five_by_two  ///< ten differences whose order means something
};
enum class Unit {
  score,     ///< statistic and estimate turn their sign with the scores
  estimate,  ///< the estimate does; the statistic counts, or has no sign
  share      ///< they count wins, or shares: the same whichever way better lies
};
enum class Evidence { p_value, posterior, bound };

struct ComparisonTest {
  std::string_view name, asks, when;
  /// The settings besides direction, alpha and sides that can change what it says, and the one that it cannot do
  /// without: margin, overlap, rho, rope, tau, beta, gamma, resolution, interval, reps (resamples).
  std::string_view reads = {}, needs = {};
  [[nodiscard]] bool reads_setting(std::string_view setting) const;
  Pairing pairing = Pairing::paired;
  std::int64_t least = 2;  ///< pairs, or runs of each variant; with fewer InvalidInput
  Unit unit = Unit::score;
  ScoreKind scores = ScoreKind::numbers;
  Evidence evidence = Evidence::p_value;
  bool ordinal = false;         ///< only which score is higher matters: a failed run can rank below all others
  bool shift_invariant = true;  ///< the same after adding a number to every score
  bool scale_invariant = true;  ///< the same after multiplying every score (and margin, rope) by a positive number
  /// Scores oriented so that higher is better, in an order that does not depend on the order they came in.
  TestOutcome (*run)(const TwoSamples&, const TestSettings&) = nullptr;
};

[[nodiscard]] std::span<const ComparisonTest> all_comparisons();
/// Nothing for a name that is not in the table.
[[nodiscard]] const ComparisonTest* find_comparison(std::string_view name);

/// Runs one test. InvalidInput for an unknown test, no direction, scores that are empty or not finite, unequal lengths
/// of a paired test, fewer scores than the test needs, settings out of range: never a number instead. The same scores
/// in another order (pairs kept together) give the same bits.
[[nodiscard]] TestOutcome compare(std::string_view test, std::vector<double> candidate, std::vector<double> baseline,
                                  const TestSettings& settings);

}  // namespace retrial::variance::inline two_variants
