#pragma once

#include <string>
#include <string_view>

#include "workloads/profiler/recording/recording.hpp"

/// Our own trace file: magic, a header as JSON, blocks of events, a trailer with their places and a digest.
namespace retrial::profiler::inline traces {

inline constexpr std::string_view rtrace_magic = "RTRACE01";

enum class Packing {
  plain,      ///< 24 bytes an event
  compressed  ///< differences of times and arguments as varints, names from a dictionary: a third of that
};
[[nodiscard]] std::string rtrace_bytes(const Recording& recording, Packing packing = Packing::plain);

enum class Damage {
  refused,  ///< Error{integrity} with the byte at which the file is wrong
  salvaged  ///< the blocks before that byte, marked as incomplete
};
[[nodiscard]] Recording read_rtrace(std::string_view bytes, const std::string& file, Damage damage = Damage::refused);

}  // namespace retrial::profiler::inline traces
