#pragma once

#include <string>
#include <vector>

#include "workloads/profiler/recording/recording.hpp"

namespace retrial::profiler::inline recording {

/// What intern() has numbered so far.
[[nodiscard]] std::string name_of(NameId id);
[[nodiscard]] std::vector<std::string> all_names();

}  // namespace retrial::profiler::inline recording
