#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/profiler/recording/block.hpp"

/// For .cpp files of this folder: the recording that runs, and the events of its threads.
namespace retrial::profiler::inline recording {

struct OpenOperation {
  NameId name;
  bool adopted;
};
struct OpenLayer {
  NameId name;
  Category category;
  std::uint64_t inner = 0;
};

/// The events of one thread. Only that thread touches it while a recording runs.
struct ThreadLog {
  Event* next = nullptr;
  Event* end = nullptr;
  std::uint16_t lane = 0;
  ClockSource source = ClockSource::monotonic;
  std::uint64_t dropped = 0;
  std::vector<Block> blocks;
  std::vector<OpenOperation> operations;
  std::vector<OpenLayer> layers;
  std::vector<NameId> calls;
  std::vector<std::pair<Category, LayerInterval>> seen_by_others;
};

struct Session {
  RecordingSettings settings;
  std::uint32_t number = 0;
  ClockPair first;
  std::uint64_t used_bytes = 0, lost = 0;
  std::vector<std::unique_ptr<ThreadLog>> threads;
  std::map<std::uint16_t, std::vector<Event>> gpu;
  std::vector<RecordedRegion> regions;
  std::map<std::string, std::string> metadata;
};

struct OpenRegion {
  std::uint64_t begin_ns = 0;
  bool recorded = false;  ///< the last region of the session is this one
};

/// Behind one mutex; taken at the ends of blocks, threads, regions and recordings only.
struct Shared {
  std::mutex mutex;
  std::unique_ptr<Session> session;
  std::uint32_t last_number = 0;
  std::optional<OpenRegion> region;
  std::string process, phase;
  double progress = 0;
};
[[nodiscard]] Shared& shared();

struct ThreadPlace {
  std::uint32_t session = 0;
  ThreadLog* log = nullptr;
};
// The code is linked into programs, where this place is known at their start: 2 ns instead of a call.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local ThreadPlace place;

/// Its first event of this recording. AnnotationError where that has ended.
[[nodiscard]] ThreadLog& join(std::uint32_t number);
/// Another block, or nothing at the cap.
[[nodiscard]] bool refill(ThreadLog& log);

inline ThreadLog& log_of(std::uint32_t number) {
  if (place.session == number) [[likely]]
    return *place.log;
  return join(number);
}

inline void write(ThreadLog& log, EventKind kind, Category category, NameId name, std::uint64_t arg) {
  if (log.next == log.end) [[unlikely]] {
    if (log.dropped > 0 || !refill(log)) {
      ++log.dropped;
      return;
    }
  }
  *log.next = {ticks_of(log.source), arg, name, kind, category, log.lane};
  ++log.next;
}

[[nodiscard]] inline std::uint32_t current_session() {
  return detail::session.load(std::memory_order_relaxed);
}

}  // namespace retrial::profiler::inline recording
