#pragma once

#include <string>
#include <vector>

#include "results/json.hpp"
#include "workloads/declaration.hpp"

namespace retrial::harness {

/// One topic of `retrial list`: its rows come from the registries, so nothing is listed that does not exist and
/// nothing exists that is not listed.
struct Topic {
  struct Field {
    std::string key, title;
  };
  std::string name, title, meaning;
  std::vector<Field> columns;
  bool of_workload = false;  ///< also shown by `retrial list WORKLOAD`
  /// Rows of these workloads; topics that belong to none ignore them. Each row has every key of `columns`.
  std::vector<Json> (*rows)(const std::vector<const workloads::Declaration*>&) = nullptr;
};

[[nodiscard]] const std::vector<Topic>& all_topics();
[[nodiscard]] const Topic& find_topic(const std::string& name);

}  // namespace retrial::harness
