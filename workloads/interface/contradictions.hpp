#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/interface/contributions.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::workloads::inline interface {

/// Mistakes of whoever wrote the declarations, one sentence each, naming workload and item: names that are missing,
/// malformed or given twice, defaults and presets outside what is allowed, sources that are honoured but not
/// declared. Empty: the declarations agree with themselves.
[[nodiscard]] std::vector<std::string> contradictions(std::span<const Declaration> declarations);
/// The same of shared contributions, none of which may have the name of a workload.
[[nodiscard]] std::vector<std::string> contradictions(std::span<const SharedContribution> shared,
                                                      std::span<const Declaration> declarations);

}  // namespace retrial::workloads::inline interface
