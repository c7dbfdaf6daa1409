#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/declaration.hpp"

namespace retrial::workloads {

/// Mistakes of whoever wrote the declarations, one sentence each, naming workload and item: names that are missing,
/// malformed or given twice, defaults and presets outside what is allowed, sources that are honoured but not
/// declared. Empty: the declarations agree with themselves.
[[nodiscard]] std::vector<std::string> contradictions(std::span<const Declaration> declarations);

}  // namespace retrial::workloads
