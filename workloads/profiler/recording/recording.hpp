#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/profiler/recording/clock.hpp"
#include "workloads/profiler/recording/event.hpp"

/// What one run of a program left: the events of every thread, and what is needed to read them.
namespace retrial::profiler::inline recording {

struct RecordedLane {
  bool gpu = false;
  std::uint16_t lane = 0;
  std::string name;
  std::vector<Event> events;
  std::uint64_t dropped = 0;

  bool operator==(const RecordedLane&) const = default;
};

struct RecordedRegion {
  std::string phase;
  std::uint64_t begin = 0, end = 0;  ///< ticks
  std::uint16_t lane = 0;            ///< thread that opened it
};

struct Recording {
  std::string host, process, collector = "none";
  ClockSource source = ClockSource::monotonic;
  ClockMap clock;
  std::map<std::string, std::string> metadata;
  std::vector<std::string> names;  ///< by NameId
  std::vector<RecordedRegion> regions;
  std::vector<RecordedLane> lanes;
  bool salvaged = false;  ///< read from a damaged file

  [[nodiscard]] std::uint64_t dropped() const;
  [[nodiscard]] std::uint64_t events() const;
};

struct RecordingSettings {
  ClockSource source = ClockSource::monotonic;
  std::uint64_t cap_bytes = std::uint64_t{1} << 30U;  ///< the newest events beyond it are dropped, and counted
  bool operations = true, layers = true;              ///< kept of the annotations; a collector's layers are always
};

/// From now on annotations of every thread are kept. AnnotationError while another recording runs.
void start_recording(const RecordingSettings& settings);
/// Other threads must not annotate while it is collected. AnnotationError without a recording.
[[nodiscard]] Recording stop_recording();

/// A number for a name, the same for the whole process.
[[nodiscard]] NameId intern(std::string_view name);

/// What a collector adds from outside: intervals of a GPU in ns of CLOCK_REALTIME.
struct GpuInterval {
  std::uint8_t device = 0, stream = 0;
  NameId name = 0;
  Category category = Category::gpu_kernel;
  std::uint64_t begin_ns = 0, end_ns = 0, correlation = 0;
  NameId operation = no_name;
};
/// Calls into a library that another profiler saw on this thread, or time that it took itself, in order, none inside
/// another; times in ns of CLOCK_REALTIME. They join the thread's own events when the recording ends.
struct LayerInterval {
  std::uint64_t begin_ns = 0, end_ns = 0;
  std::uint64_t inner = 0;  ///< calls that this one made
};
void record_layers(Category category, std::span<const LayerInterval> intervals);
void record_gpu(std::span<const GpuInterval> intervals);
void count_dropped(std::uint64_t events);  ///< that a collector lost

}  // namespace retrial::profiler::inline recording
