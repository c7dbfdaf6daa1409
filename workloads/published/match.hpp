#pragma once

#include <string>
#include <vector>

#include "workloads/interface/declaration.hpp"
#include "workloads/published/row.hpp"

namespace retrial::published {

/// A key whose value differs between a variant and the protocol that was published.
struct KeyDifference {
  std::string key, ours, published;
};

/// Every key of the row's subject has this value.
[[nodiscard]] bool is_about(const Row& row, const workloads::Declaration& declaration, const Values& values);

/// Keys of the published protocol with another value here. Milestones are compared as learning rates.
[[nodiscard]] std::vector<KeyDifference> protocol_differences(const Row& row, const workloads::Declaration& declaration,
                                                              const Values& values);

/// Keys that change the data of a data set (division, subset, image size) and are not at their default.
[[nodiscard]] std::vector<KeyDifference> data_differences(const workloads::Declaration& declaration,
                                                          const Values& values);

}  // namespace retrial::published
