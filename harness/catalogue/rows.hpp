#pragma once

#include <vector>

#include "harness/catalogue/catalogue.hpp"

/// Rows of the topics that belong to no workload, named as in the table of topics.
namespace retrial::harness::inline catalogue {

using Rows = std::vector<Json>;
using Declarations = std::vector<const workloads::Declaration*>;

// Tests, rules and designs.
[[nodiscard]] Rows test_rows(const Declarations&);
[[nodiscard]] Rows rule_rows(const Declarations&);
[[nodiscard]] Rows design_rows(const Declarations&);

}  // namespace retrial::harness::inline catalogue
