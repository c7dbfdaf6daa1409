#pragma once

#include "harness/ledger/judged.hpp"
#include "workloads/declaration.hpp"

namespace retrial::harness {

/// The values of a stored variant, typed by the declaration; keys that a store of an older version lacks have their
/// defaults.
[[nodiscard]] Values values_of(const workloads::Declaration& declaration, const VariantView& variant);

/// Every key of the row's subject has this value.
[[nodiscard]] bool is_about(const ledger::Row& row, const workloads::Declaration& declaration, const Values& values);

/// Keys of the published protocol with another value here. Milestones are compared as learning rates.
[[nodiscard]] std::vector<KeyDifference> protocol_differences(const ledger::Row& row,
                                                              const workloads::Declaration& declaration,
                                                              const Values& values);

/// Keys that make other data of a data set (its division, a subset, smaller images) and are not at their default.
[[nodiscard]] std::vector<KeyDifference> data_differences(const workloads::Declaration& declaration,
                                                          const Values& values);

}  // namespace retrial::harness
