#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/json/json.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline catalogue {

/// One topic of `retrial list`: of the harness, or contributed by a folder of workloads/. Its rows come from the
/// registries, so nothing is listed that does not exist and nothing exists that is not listed.
struct Topic {
  std::string name, title, meaning;
  std::vector<workloads::Listing::Column> columns;
  std::string former_option = {};  ///< of `retrial list`, which this topic replaced
  bool of_workload = false;        ///< also shown by `retrial list WORKLOAD`
  /// Rows of these workloads; topics that belong to none ignore them. Each row has every key of `columns`.
  std::function<std::vector<Json>(const std::vector<const workloads::Declaration*>&)> rows;
};

[[nodiscard]] const std::vector<Topic>& all_topics();
[[nodiscard]] const Topic& find_topic(const std::string& name);
/// std::logic_error when two topics have one name.
void require_unique_names(const std::vector<Topic>& topics);

}  // namespace retrial::harness::inline catalogue
