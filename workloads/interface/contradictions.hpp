#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/interface/contributions.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::workloads::inline interface {

/// Mistakes in declarations, one sentence each, naming workload and item: missing, malformed or duplicate names,
/// defaults and presets outside the allowed values, sources that are honored but not declared. Empty: no mistakes.
[[nodiscard]] std::vector<std::string> contradictions(std::span<const Declaration> declarations);
/// The same for shared contributions, none of which may have the name of a workload.
[[nodiscard]] std::vector<std::string> contradictions(std::span<const SharedContribution> shared,
                                                      std::span<const Declaration> declarations);

}  // namespace retrial::workloads::inline interface
