#pragma once

#include <cstdint>
#include <vector>

#include "harness/gate/measured/planned_suite.hpp"

/// How many pairs a suite needs, and when they are run and looked at.
namespace retrial::harness::inline gate::inline measured {

/// Pairs that can reach this error rate for one claim. Ranks are compared within a launch.
[[nodiscard]] std::int64_t least_pairs(bool paired, double alpha, std::int64_t launches = 1);

/// Error{usage} for a design that cannot reject, before it costs anything.
void demand_power(const PlannedSuite& suite);

/// How many pairs are run when each launch ends: shares that differ by one at most.
[[nodiscard]] std::vector<std::int64_t> launch_ends(std::int64_t pairs, std::int64_t launches);

/// The looks of a design that stops when decided: 7, 10, 14, 20 scaled to max_pairs; the first reaches the error rate.
[[nodiscard]] std::vector<std::int64_t> looks_of(const PlannedSuite& suite);

}  // namespace retrial::harness::inline gate::inline measured
