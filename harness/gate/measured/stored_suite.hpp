#pragma once

#include "harness/gate/measured/planned_suite.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline gate::inline measured {

/// The first `pairs` pairs of a suite as its store holds them.
[[nodiscard]] GateSuite stored_suite(const results::Store& store, const PlannedSuite& suite, std::int64_t pairs);

}  // namespace retrial::harness::inline gate::inline measured
