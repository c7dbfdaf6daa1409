#pragma once

#include <filesystem>

#include "workloads/profiler/timeline/timeline.hpp"
#include "workloads/profiler/traces/rtrace.hpp"

namespace retrial::profiler::inline traces {

/// A trace of any of the three formats, which its first bytes tell. Error{incomparable} for a file that cannot be read,
/// Error{integrity} for a damaged one.
[[nodiscard]] Timeline read_trace(const std::filesystem::path& file, Damage damage = Damage::refused);

}  // namespace retrial::profiler::inline traces
