#pragma once

#include <optional>
#include <span>
#include <string>

#include "variance/comparisons/comparisons.hpp"
#include "variance/comparisons/test_result.hpp"
#include "variance/numbers/estimate.hpp"
#include "variance/samples/sample.hpp"

/// Shared parts of the tests of spread.
namespace retrial::variance::inline spreads {

void require_spread_runs(std::span<const double> candidate, std::span<const double> baseline, std::int64_t min_runs);
void require_spread_pairs(std::span<const double> candidate, std::span<const double> baseline, std::int64_t min_pairs);

/// Both sides spread by more than the rounding of decimal data.
[[nodiscard]] bool both_vary(std::span<const double> candidate, std::span<const double> baseline);
/// s_A / s_B without bounds; absent unless both vary.
[[nodiscard]] std::optional<Estimate> ratio_of_sds(std::span<const double> candidate, std::span<const double> baseline,
                                                   double alpha, std::string method);

/// BETTER: the candidate spreads less. INVALID (ties) where a side does not vary, and so has no `ratio`.
[[nodiscard]] TestOutcome judged_spread(TestResult result, const TestSettings& settings,
                                        const std::optional<Estimate>& ratio);
/// For a test that is exact for normal scores alone: the kurtosis of the scores, each side about its own mean in its
/// own standard deviations, and what it is for.
void add_normality(TestOutcome& outcome, const TwoSamples& scores);

}  // namespace retrial::variance::inline spreads
