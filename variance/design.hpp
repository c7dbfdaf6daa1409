#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "variance/decide.hpp"

/// The statistics that are declared before the first run: what is asked, at which error rates, and when one looks.
namespace retrial::variance {

enum class Direction { lower, higher, none };  ///< which scores are better
enum class FailurePolicy {
  loss,   ///< a failed trial loses its pair; two failed trials tie
  drop,   ///< a pair with a failed trial is left out, and counted
  refuse  ///< any failed trial makes the verdict INVALID (missing)
};

enum class Sides {
  one,  ///< alpha for each directional claim: "better" and "worse" are two claims
  two   ///< alpha for both together: half of it each
};

struct Design {
  std::string candidate, baseline, metric;
  double alpha = 0.05, beta = 0.05, gamma = 0.75;
  double tie_limit = 0.5;  ///< largest share of tied pairs, in [0, 1)
  std::int64_t pairs = 0;
  std::optional<double> margin;  ///< of equivalence, in the unit of the metric
  FailurePolicy failure = FailurePolicy::loss;
  std::string family = "fixed";    ///< of all_design_families()
  std::string test = "pab_exact";  ///< of all_comparisons(); of a fixed design any, of a sequential one its rule
  Sides sides = Sides::one;
  /// Of paired scores; given, gamma is of runs with independent seeds and is converted (equal spreads, normal scores).
  std::optional<double> correlation;
  std::optional<std::pair<double, double>> band;   ///< of equivalence: shares of pairs won around 1/2
  std::optional<std::pair<double, double>> range;  ///< least and largest score, declared
  std::vector<std::int64_t> looks = {};            ///< of group-sequential designs: pairs at each look
  std::string spending = "obrien_fleming";         ///< of group-sequential designs; or "pocock"
  std::optional<std::uint64_t> key;                ///< of the comparison, for tests that draw

  /// What rules on wins are given: alpha of one directional claim, gamma of pairs.
  [[nodiscard]] Levels levels() const;
  [[nodiscard]] bool sequential() const { return family != "fixed"; }
};

}  // namespace retrial::variance
