#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/profiler/recording/recording.hpp"

/// A recording, or the trace of another program, as intervals in integer nanoseconds.
namespace retrial::profiler::inline timeline {

inline constexpr std::uint32_t no_lane = 0xFFFFFFFF;

struct Interval {
  std::int64_t start = 0, end = 0;  ///< [start, end)

  bool operator==(const Interval&) const = default;
  [[nodiscard]] std::uint64_t length() const {
    return end > start ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start) : 0;
  }
};

struct Span : Interval {
  NameId name = 0;
  std::uint32_t lane = 0;
  Category category = Category::app;
  std::uint64_t id = 0;        ///< correlation of a call and what it launched; inner calls of a layer
  NameId operation = no_name;  ///< of a GPU: the operation that launched it, where the collector knew
  bool adopted = false;        ///< an operation of another thread
  bool open = false;           ///< no end was recorded: closed where the trace ends

  bool operator==(const Span&) const = default;
};

struct Lane {
  bool gpu = false;
  std::string name;
  std::int64_t group = 0, number = 0;  ///< process and thread; device and stream

  bool operator==(const Lane&) const = default;
};

struct Region : Interval {
  std::string phase;
  std::uint32_t lane = 0;  ///< thread that opened it

  bool operator==(const Region&) const = default;
};

struct Mark {
  std::int64_t at = 0;
  NameId name = 0;
  std::uint32_t lane = 0;
  std::uint64_t value = 0;

  bool operator==(const Mark&) const = default;
};

/// What could not be read as it stood.
struct Faults {
  std::uint64_t dropped = 0;    ///< events lost by the recorder
  std::uint64_t clamped = 0;    ///< times of a thread that went backwards
  std::uint64_t open = 0;       ///< intervals without an end
  std::uint64_t clipped = 0;    ///< operations that a region cuts
  std::uint64_t unmatched = 0;  ///< begins without ends, and ends without begins, of a foreign trace
  std::uint64_t ignored = 0;    ///< intervals of a foreign trace of no known category
  bool salvaged = false;

  bool operator==(const Faults&) const = default;
};

struct Timeline {
  std::string host, process, collector = "none", clock = "unknown";
  std::map<std::string, std::string> metadata;
  std::vector<std::string> names;
  std::vector<Lane> lanes;
  std::vector<Region> regions;  ///< in order; only time inside one is reported
  /// In the order of their begin; of equal ones, the order of opening.
  std::vector<Span> operations, layers, calls, gpu, overhead;
  std::vector<Mark> progress;
  Faults faults;

  [[nodiscard]] std::uint64_t wall() const;
  [[nodiscard]] std::string name(NameId id) const { return id < names.size() ? names[id] : "(none)"; }
};

/// Times relative to the begin of the first region. Without a region the whole recording is one. Error{integrity} for
/// an end before its begin, naming name, lane and times.
[[nodiscard]] Timeline timeline_of(const Recording& recording);

/// The parts of spans inside the regions, in their order; what is empty there is left out.
[[nodiscard]] std::vector<Span> inside_regions(const std::vector<Span>& spans, const std::vector<Region>& regions);
/// A trace without regions is measured as a whole: one region over everything.
void demand_regions(Timeline& timeline);
/// How many operations a region cuts.
[[nodiscard]] std::uint64_t clipped_operations(const Timeline& timeline);

}  // namespace retrial::profiler::inline timeline
