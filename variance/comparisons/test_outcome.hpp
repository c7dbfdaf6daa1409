#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "variance/comparisons/status.hpp"
#include "variance/numbers/estimate.hpp"

namespace retrial::variance::inline comparisons {

/// Posterior probabilities that sum to 1. For paired differences d: d below -rope, within the rope, above rope.
struct Posterior {
  double left = 0.0, rope = 0.0, right = 0.0;
};

/// A further estimate in the unit of the scores, candidate - baseline, where the test has one of its own kind.
struct FurtherEstimate {
  std::string estimand;
  Estimate estimate;
};

/// The result of one test. Numbers that do not exist are absent.
struct TestOutcome {
  std::string test;
  About about = About::level;  ///< subject of status, p_better and p_worse
  Status status = Status::inconclusive;
  std::optional<InvalidReason> reason;  ///< INVALID only
  std::optional<double> statistic, df, df_within;
  std::optional<double> p, p_better, p_worse;  ///< two-sided; for the candidate being better, worse
  /// For EQUIVALENT within a given margin (at most alpha), for NOT MEANINGFUL by a given gamma (at most beta). Absent
  /// for a test that never says so by a p.
  std::optional<double> p_equivalent = {}, p_not_meaningful = {};
  std::optional<Posterior> posterior;  ///< left: worse, right: better
  bool drawn = false;                  ///< random numbers were drawn: the result depends on the key
  bool exact = false;
  std::string method;
  Estimate estimate;
  std::string estimand;  ///< the estimated quantity, e.g. "mean difference"
  std::vector<FurtherEstimate> further = {};
  std::int64_t candidate_runs = 0, baseline_runs = 0;
  std::vector<std::pair<std::string, double>> details;  ///< further numbers by name
  std::vector<std::string> notes;
};

}  // namespace retrial::variance::inline comparisons
