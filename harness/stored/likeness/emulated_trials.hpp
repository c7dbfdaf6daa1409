#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline stored::inline likeness {

/// The emulated CPUs on which trials ran, "" for a real one, each with the first such trial in plan order. The
/// worker itself records that it is emulated (machine.emulated), no matter who started it.
using CpuKinds = std::map<std::string, std::string>;
/// CPUs of the trials that count. Empty where no trial of the store is emulated.
[[nodiscard]] CpuKinds cpu_kinds(const results::Store& store, const results::Digest& study,
                                 const std::vector<PlannedTrial>& trials);

/// Error{incomparable} for more than one kind: an emulator computes as exactly as it can, but it is not the machine
/// that a verdict is about, and its times mean nothing. `where` is the store.
void demand_one_kind_of_cpu(const CpuKinds& kinds, const std::string& where);

}  // namespace retrial::harness::inline stored::inline likeness
