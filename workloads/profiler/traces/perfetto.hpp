#pragma once

#include <string>
#include <string_view>

#include "workloads/profiler/timeline/timeline.hpp"

/// Perfetto's protobuf format: TracePacket, TrackEvent and TrackDescriptor, field numbers as in its published schema.
namespace retrial::profiler::inline traces {

/// A track for each thread and stream, more where intervals of one do not nest. The same bytes for the same timeline.
[[nodiscard]] std::string perfetto_bytes(const Timeline& timeline);

/// A trace that perfetto_bytes() wrote. Packets and fields that it does not write are passed over. Error{integrity}
/// with the byte for what is no such file.
[[nodiscard]] Timeline read_perfetto(std::string_view bytes, const std::string& file);

}  // namespace retrial::profiler::inline traces
