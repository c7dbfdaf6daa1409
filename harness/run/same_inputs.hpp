#pragma once

#include <string>

#include "harness/plan/plan.hpp"
#include "harness/run/root_seed.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline run {

/// A study that is already in the store must have been planned for the same program and data. Error{incomparable} for
/// another program, Error{integrity} for other data, with the next step.
void demand_same_inputs(const results::Store& store, const Plan& plan, SeedFrom seed);

/// The next step for a study whose seed was given, which has one digest and so one plan in a store: "add --db
/// study-2.db to the same line".
[[nodiscard]] std::string same_line_elsewhere(const results::Store& store);

}  // namespace retrial::harness::inline run
