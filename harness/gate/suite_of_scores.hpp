#pragma once

#include "harness/gate/gate.hpp"
#include "harness/scores/lines/score_table.hpp"

namespace retrial::harness::inline gate {

struct SuiteChoice {
  std::string baseline, candidate;
  std::vector<std::string> metrics;              ///< empty: all
  std::optional<variance::Direction> direction;  ///< where the files have none
  bool absolute = false;                         ///< judged in the unit of the metric
};
/// The rows of two variants as claims: those of one cluster are repetitions in one process, a row without one is a
/// process. Error{usage} for an unknown metric and for one without a direction.
[[nodiscard]] GateSuite suite_of_scores(const ScoreTable& table, const SuiteChoice& choice);

}  // namespace retrial::harness::inline gate
