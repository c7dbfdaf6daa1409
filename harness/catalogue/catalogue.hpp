#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/json/json.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline catalogue {

using Rows = std::vector<Json>;
using Declarations = std::vector<const workloads::Declaration*>;

/// One topic of `retrial list`: from the harness, or contributed by a folder of workloads/. Its rows come from the
/// registries, so the list is always complete and current.
struct Topic {
  std::string name, title, meaning;
  std::vector<workloads::Listing::Column> columns;
  std::string former_option = {};  ///< option of `retrial list` that this topic replaced
  bool of_workload = false;        ///< also shown by `retrial list WORKLOAD`
  /// Rows for these workloads; topics that belong to no workload ignore them. Each row has every key of `columns`.
  std::function<Rows(const Declarations&)> rows;
  std::function<std::string()> note = {};  ///< below the table: where the rows come from
  std::function<Json()> facts = {};        ///< the same for --json, under the key "audit"
};

[[nodiscard]] const std::vector<Topic>& all_topics();
[[nodiscard]] const Topic& find_topic(const std::string& name);
/// Throws std::logic_error when two topics have the same name.
void require_unique_names(const std::vector<Topic>& topics);

// Rows of the topics that belong to no workload.
[[nodiscard]] Rows test_rows(const Declarations&);
[[nodiscard]] Rows rule_rows(const Declarations&);
[[nodiscard]] Rows design_rows(const Declarations&);
/// Operators of LibTorch, as the last audit found them: "passes" in mode portable.
[[nodiscard]] Rows operator_rows(const Declarations&);
[[nodiscard]] std::string operator_note();
[[nodiscard]] Json operator_facts();

}  // namespace retrial::harness::inline catalogue
