#pragma once

#include <functional>

#include "harness/gate/measured/planned_suite.hpp"
#include "harness/run/run_study.hpp"

namespace retrial::harness::inline gate::inline measured {

/// Runs the missing trials of pairs `from` to `to` - 1, benchmarks by turns: in each round every one runs its pair,
/// both sides next to each other. Ends early after a signal. Error{measurement} where the first trial of every variant
/// of every benchmark fails in the same way.
[[nodiscard]] RunSummary run_rounds(results::Store& store, const PlannedSuite& suite,
                                    const std::function<RunSettings(const Bench&)>& settings, std::int64_t from,
                                    std::int64_t to, std::int64_t step = 1);

}  // namespace retrial::harness::inline gate::inline measured
