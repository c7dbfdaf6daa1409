#include "workloads/profiler/recording/session.hpp"

#include <unistd.h>

#include <algorithm>

#include "workloads/profiler/recording/names.hpp"

namespace retrial::profiler::inline recording {

Shared& shared() {
  static Shared state;
  return state;
}

__attribute__((tls_model("initial-exec"))) constinit thread_local ThreadPlace place;

ThreadLog& join(std::uint32_t number) {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  if (!state.session || state.session->number != number) throw AnnotationError("the recording has ended");
  Session& session = *state.session;
  if (session.threads.size() > 0xFFFF)
    throw AnnotationError("more than 65535 threads in one recording: " + std::to_string(session.threads.size() + 1));
  session.threads.push_back(std::make_unique<ThreadLog>());
  ThreadLog& log = *session.threads.back();
  log.lane = static_cast<std::uint16_t>(session.threads.size() - 1);
  log.source = session.settings.source;
  place = {.session = number, .log = &log};
  return log;
}

bool refill(ThreadLog& log) {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  Session& session = *state.session;
  const std::uint64_t left = session.settings.cap_bytes - session.used_bytes;
  const bool first = log.blocks.empty() || left < huge_bytes;
  const std::uint64_t bytes = first ? first_bytes : huge_bytes;
  if (bytes > left) return false;
  session.used_bytes += bytes;
  log.blocks.push_back(new_block(bytes));
  log.next = log.blocks.back().events.get();
  log.end = log.next + log.blocks.back().size;
  return true;
}

namespace {

/// Joins what another profiler saw with the events of the thread, by time.
void add_seen_by_others(RecordedLane& lane, const ThreadLog& log, const ClockMap& clock) {
  std::vector<Event> seen;
  for (const auto& [category, call] : log.seen_by_others) {
    const auto ticks = [&](std::uint64_t ns) { return clock.ticks(static_cast<std::int64_t>(ns)); };
    const bool layer = is_cpu_layer(category);  // else time that a profiler took
    seen.push_back({ticks(call.begin_ns), 0, no_name, layer ? EventKind::layer_begin : EventKind::overhead_begin,
                    category, log.lane});
    seen.push_back({ticks(call.end_ns), call.inner, no_name, layer ? EventKind::layer_end : EventKind::overhead_end,
                    category, log.lane});
  }
  if (seen.empty()) return;
  std::vector<Event> all;
  std::ranges::merge(lane.events, seen, std::back_inserter(all), {}, &Event::t, &Event::t);
  lane.events = std::move(all);
}

RecordedLane lane_of(const ThreadLog& log) {
  RecordedLane lane{.lane = log.lane, .name = "thread " + std::to_string(log.lane), .dropped = log.dropped};
  for (std::size_t b = 0; b < log.blocks.size(); ++b) {
    const auto& [events, size] = log.blocks[b];
    const Event* const begin = events.get();
    lane.events.insert(lane.events.end(), begin, b + 1 < log.blocks.size() ? begin + size : log.next);
  }
  return lane;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

}  // namespace

std::uint64_t Recording::dropped() const {
  std::uint64_t sum = 0;
  for (const RecordedLane& lane : lanes) sum += lane.dropped;
  return sum;
}

std::uint64_t Recording::events() const {
  std::uint64_t sum = 0;
  for (const RecordedLane& lane : lanes) sum += lane.events.size();
  return sum;
}

void start_recording(const RecordingSettings& settings) {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  if (state.session) throw AnnotationError("start_recording: a recording is running");
  state.session = std::make_unique<Session>();
  state.session->settings = settings;
  state.session->number = ++state.last_number;
  state.session->first = read_clock_pair(settings.source);
  state.progress = 0;
  detail::session.store(state.session->number, std::memory_order_relaxed);
  if (settings.operations) detail::operations.store(state.session->number, std::memory_order_relaxed);
  if (settings.layers) detail::layers.store(state.session->number, std::memory_order_relaxed);
}

Recording stop_recording() {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  if (!state.session) throw AnnotationError("stop_recording: no recording is running");
  for (auto* const kept : {&detail::session, &detail::operations, &detail::layers})
    kept->store(0, std::memory_order_relaxed);
  const std::unique_ptr<Session> session = std::move(state.session);
  if (state.region && state.region->recorded) {
    session->regions.back().end = ticks_of(session->settings.source);
    state.region->recorded = false;
  }
  Recording out{.host = host_name(),
                .process = state.process,
                .source = session->settings.source,
                .clock = {session->first, read_clock_pair(session->settings.source)},
                .metadata = session->metadata,
                .names = all_names(),
                .regions = session->regions};
  for (const auto& log : session->threads) {
    out.lanes.push_back(lane_of(*log));
    add_seen_by_others(out.lanes.back(), *log, out.clock);
  }
  for (auto& [lane, events] : session->gpu)
    out.lanes.push_back({.gpu = true,
                         .lane = lane,
                         .name = "GPU " + std::to_string(lane / 256) + " stream " + std::to_string(lane % 256),
                         .events = std::move(events)});
  if (session->lost > 0) {
    if (out.lanes.empty()) out.lanes.push_back({.name = "thread 0"});
    out.lanes.back().dropped += session->lost;
  }
  return out;
}

void record_layers(Category category, std::span<const LayerInterval> intervals) {
  if (!is_recording()) return;
  ThreadLog& log = log_of(current_session());
  for (const LayerInterval& interval : intervals) log.seen_by_others.emplace_back(category, interval);
}

void record_gpu(std::span<const GpuInterval> intervals) {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  if (!state.session) return;
  for (const GpuInterval& i : intervals) {
    const auto lane = static_cast<std::uint16_t>(i.device * 256 + i.stream);
    auto& events = state.session->gpu[lane];
    if (state.session->used_bytes + 2 * sizeof(Event) > state.session->settings.cap_bytes) {
      state.session->lost += 2;
      continue;
    }
    state.session->used_bytes += 2 * sizeof(Event);
    events.push_back({i.begin_ns, i.correlation, i.name, EventKind::gpu_begin, i.category, lane});
    events.push_back({i.end_ns, i.operation, i.name, EventKind::gpu_end, i.category, lane});
  }
}

void count_dropped(std::uint64_t events) {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  if (state.session) state.session->lost += events;
}

}  // namespace retrial::profiler::inline recording
