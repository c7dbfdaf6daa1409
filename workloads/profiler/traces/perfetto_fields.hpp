#pragma once

#include <cstdint>

/// Field numbers of perfetto_trace.proto, as in the package `perfetto` 0.59.1.
namespace retrial::profiler::traces_fields {

inline constexpr std::uint32_t trace_packet = 1;
inline constexpr std::uint32_t packet_timestamp = 8, packet_sequence = 10, packet_event = 11, packet_flags = 13,
                               packet_descriptor = 60;
inline constexpr std::uint32_t event_annotation = 4, event_type = 9, event_track = 11, event_category = 22,
                               event_name = 23, event_flow = 47;
inline constexpr std::uint64_t type_begin = 1, type_end = 2, type_instant = 3;
inline constexpr std::uint32_t track_uuid = 1, track_name = 2, track_process = 3, track_thread = 4, track_parent = 5;
inline constexpr std::uint32_t process_pid = 1, process_name = 6, thread_pid = 1, thread_tid = 2, thread_name = 5;
inline constexpr std::uint32_t annotation_uint = 3, annotation_string = 6, annotation_name = 10;

}  // namespace retrial::profiler::traces_fields
