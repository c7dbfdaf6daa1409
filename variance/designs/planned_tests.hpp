#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "variance/comparisons/comparisons.hpp"

/// Tests whose power follows from a formula for normal scores, one row each: what `retrial power --design` offers
/// in addition to the rules that count pairs.
namespace retrial::variance::inline designs {

struct PowerSettings {
  double alpha = 0.05, beta = 0.05;
  Sides sides = Sides::one;
  double overlap = 0.0;     ///< corrected_t only: test rows / train rows
  double difference = 0.0;  ///< tests of equivalence only: the true difference
};

/// A size is a number of standard deviations: of the paired differences, or of the runs of one variant (two independent
/// groups of equal size and spread). Of a test of equivalence it is the margin, else the difference of the means.
struct PlannedTest {
  std::string_view name;  ///< as in all_comparisons()
  Pairing pairing = Pairing::paired;
  bool equivalence = false;  ///< its claim is EQUIVALENT, else BETTER
  bool overlap = false;      ///< needs PowerSettings::overlap
  std::int64_t min_runs = 2;
  bool saw_toothed = false;  ///< its p is so coarse that a run more can cost power
  double precision = 1e-13;  ///< relative, for detectable_size
  std::string_view law;      ///< distribution that gives the power
  double (*power)(std::int64_t runs, double size, const PowerSettings&) = nullptr;
};
[[nodiscard]] std::span<const PlannedTest> all_planned_tests();
/// Null for a name that is not in the table.
[[nodiscard]] const PlannedTest* find_planned_test(std::string_view name);

/// Min pairs, or runs of each variant, for which the claim has probability 1 - beta. Absent if a million are too few.
/// InvalidInput{size} unless it is positive.
[[nodiscard]] std::optional<std::int64_t> runs_for(const PlannedTest& test, double size,
                                                   const PowerSettings& settings = {});
/// Smallest size for which n runs have that probability. Absent if no size is large enough: too few runs for any rank
/// test at this alpha.
[[nodiscard]] std::optional<double> detectable_size(const PlannedTest& test, std::int64_t runs,
                                                    const PowerSettings& settings = {});

}  // namespace retrial::variance::inline designs
