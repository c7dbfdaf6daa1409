#pragma once

#include <string>
#include <vector>

#include "harness/gate/gate.hpp"

namespace retrial::harness::inline gate {

/// A claim about scores of which some are only bounds: a process that did not reach its target by the limit.
struct Censored {
  GateClaim claim;                      ///< with the processes that did not reach it marked, for the rank test
  std::vector<std::string> notes = {};  ///< how many reached it, and which limit is used
  std::string problem = {};             ///< why it cannot be ranked; empty: it can
};
/// Every process that did not reach its target is behind all that did, and level with the others that did not
/// (midranks). Where limits differ, both sides are cut at the nearer one: what happened between the two is known of one
/// side only. A bound on the better side has no rank. Claims without a bound stay as they are.
[[nodiscard]] Censored censored(const GateClaim& claim, Statistic statistic);

}  // namespace retrial::harness::inline gate
