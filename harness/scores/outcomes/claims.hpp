#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/scores/outcomes/score_test.hpp"
#include "results/report/report.hpp"
#include "variance/comparisons/deciding_p.hpp"
#include "variance/many/multiplicity.hpp"

namespace retrial::harness::inline scores::inline outcomes {

/// One of several comparisons in one report.
struct Claim {
  std::string task;
  ScoreTest test;  ///< without the correction
  std::optional<double> p_adjusted, p_better_adjusted, p_worse_adjusted, p_equivalent_adjusted,
      p_not_meaningful_adjusted;
  /// For the verdict of the test alone, or for the nearer direction. Absent: the test has no p.
  std::optional<variance::DecidingP> deciding, deciding_adjusted;
  variance::Status status = variance::Status::inconclusive;  ///< after the correction
};
struct Claims {
  std::vector<Claim> claims;
  variance::Adjustment adjust = variance::Adjustment::holm;
  /// One candidate on several tasks: the number of tasks on which it is better, at least (Dror et al. 2017). Absent for
  /// tests without p values.
  std::optional<std::int64_t> better_on;
  std::vector<std::string> notes;
  Standing standing = {};     ///< claims on a store only
  std::string task = "task";  ///< noun for what several claims are about
};

/// The p that a claim needs.
[[nodiscard]] double limit_of(const Claim& claim);

/// All claims with what was measured, their p values and verdicts. The data: schema retrial.claims/1.
[[nodiscard]] report::Part claims_part(const Claims& claims);

}  // namespace retrial::harness::inline scores::inline outcomes
