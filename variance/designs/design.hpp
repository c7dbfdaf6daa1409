#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "variance/comparisons/status.hpp"
#include "variance/wins/decide.hpp"

/// The statistics that are declared before the first run: the question, the error rates, and when the data are tested.
namespace retrial::variance::inline designs {

enum class FailurePolicy {
  loss,   ///< a failed trial counts as a loss of its pair; two failed trials tie
  drop,   ///< a pair with a failed trial is left out, and counted
  refuse  ///< any failed trial makes the verdict INVALID (missing)
};

struct Design {
  std::string candidate = {}, baseline = {}, metric = {};
  double alpha = 0.05, beta = 0.05;
  std::optional<double> gamma = {};  ///< absent: no share of pairs won was called meaningful
  double tie_limit = 0.5;            ///< largest share of tied pairs, in [0, 1)
  std::int64_t pairs = 0;
  std::optional<double> margin = {};  ///< equivalence margin, in the unit of the metric
  FailurePolicy failure = FailurePolicy::loss;
  std::int64_t retries = 0;        ///< how often a failed trial may be run again
  std::string family = "fixed";    ///< a name of all_design_families()
  std::string test = "pab_exact";  ///< fixed designs: any of all_comparisons(); sequential designs: their rule
  Sides sides = Sides::one;
  /// Correlation of paired scores. If it is given, gamma refers to runs with independent seeds and is converted (equal
  /// spreads, normal scores).
  std::optional<double> correlation = {};
  std::optional<std::pair<double, double>> band = {};   ///< equivalence band: win rates around 1/2
  std::optional<std::pair<double, double>> range = {};  ///< declared lowest and highest possible score
  std::vector<std::int64_t> looks = {};                 ///< group-sequential designs only: pairs at each look
  std::string spending = "obrien_fleming";              ///< group-sequential designs only; or "pocock"
  std::optional<std::uint64_t> key = {};                ///< key of the comparison, for tests that draw random numbers

  /// The levels of rules on wins: alpha per directional claim, gamma for pairs.
  [[nodiscard]] Levels levels() const;
  [[nodiscard]] bool sequential() const { return family != "fixed"; }
};

/// "if the true win rate is 75 %": the condition of every power that is shown. Says so where no gamma was declared, and
/// the rate is an assumption.
[[nodiscard]] std::string win_rate_condition(const Design& design);

}  // namespace retrial::variance::inline designs
