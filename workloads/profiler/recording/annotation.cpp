#include "workloads/profiler/recording/annotation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>

#include <unistd.h>

#include "workloads/profiler/recording/block.hpp"
#include "workloads/profiler/recording/names.hpp"

namespace retrial::profiler::inline recording {
namespace {

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
Shared& shared() {
  static Shared state;
  return state;
}

struct ThreadPlace {
  std::uint32_t session = 0;
  ThreadLog* log = nullptr;
};
// The code is linked into programs, where this place is known at their start: 2 ns instead of a call.
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

ThreadLog& log_of(std::uint32_t number) {
  if (place.session == number) [[likely]]
    return *place.log;
  return join(number);
}

/// Another block, or nothing at the cap.
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

void write(ThreadLog& log, EventKind kind, Category category, NameId name, std::uint64_t arg) {
  if (log.next == log.end) [[unlikely]] {
    if (log.dropped > 0 || !refill(log)) {
      ++log.dropped;
      return;
    }
  }
  *log.next = {ticks_of(log.source), arg, name, kind, category, log.lane};
  ++log.next;
}

std::uint32_t current_session() {
  return detail::session.load(std::memory_order_relaxed);
}

void close_operation(ThreadLog& log) {
  const OpenOperation open = log.operations.back();
  log.operations.pop_back();
  write(log, EventKind::operation_end, Category::app, open.name, open.adopted ? 1 : 0);
}

void close_layer(ThreadLog& log) {
  const OpenLayer open = log.layers.back();
  log.layers.pop_back();
  write(log, EventKind::layer_end, open.category, open.name, open.inner);
}

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

void mark_progress(double fraction, NameId name, std::uint64_t arg) {
  Shared& state = shared();
  {
    const std::scoped_lock lock(state.mutex);
    if (!(fraction >= 0 && fraction <= 1))
      throw AnnotationError("report_progress: " + std::to_string(fraction) + " is not a fraction from 0 to 1");
    if (fraction < state.progress)
      throw AnnotationError("report_progress: " + std::to_string(fraction) + " after " +
                            std::to_string(state.progress) + "; progress does not decrease");
    state.progress = fraction;
  }
  const std::uint32_t number = current_session();
  if (number == 0) return;
  ThreadLog& log = log_of(number);
  static const NameId cpu = intern("thread_cpu_ns");
  write(log, EventKind::counter, Category::app, cpu,
        std::bit_cast<std::uint64_t>(static_cast<double>(ns_of(CLOCK_THREAD_CPUTIME_ID))));
  write(log, EventKind::progress, Category::app, name, arg);
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

namespace detail {

std::uint32_t open_operation(NameId name) {
  ThreadLog& log = log_of(current_session());
  const auto depth = static_cast<std::uint32_t>(log.operations.size());
  log.operations.push_back({.name = name, .adopted = false});
  write(log, EventKind::operation_begin, Category::app, name, 0);
  return depth;
}

std::uint32_t open_layer(Category category, NameId name) {
  if (!is_cpu_layer(category))
    throw AnnotationError("Layer: " + std::string(name_of(category)) + " is not a layer of a CPU");
  ThreadLog& log = log_of(current_session());
  const auto depth = static_cast<std::uint32_t>(log.layers.size());
  log.layers.push_back({.name = name, .category = category});
  write(log, EventKind::layer_begin, category, name, 0);
  return depth;
}

void close_operations(std::uint32_t number, std::uint32_t depth) noexcept {
  if (place.session != number || current_session() != number) return;
  while (place.log->operations.size() > depth) close_operation(*place.log);
}

void close_layers(std::uint32_t number, std::uint32_t depth) noexcept {
  if (place.session != number || current_session() != number) return;
  while (place.log->layers.size() > depth) close_layer(*place.log);
}

}  // namespace detail

void push_operation(NameId name) {
  if (detail::operations.load(std::memory_order_relaxed) != 0) static_cast<void>(detail::open_operation(name));
}

void pop_operation(NameId name) {
  if (detail::operations.load(std::memory_order_relaxed) == 0) return;
  ThreadLog& log = log_of(current_session());
  if (log.operations.empty() || log.operations.back().adopted)
    throw AnnotationError("pop_operation: expected '" + name_of(name) + "' on top, and no operation is open");
  if (log.operations.back().name != name)
    throw AnnotationError("pop_operation: expected '" + name_of(name) + "' on top, got '" +
                          name_of(log.operations.back().name) + "'");
  close_operation(log);
}

void push_layer(Category category) {
  if (is_recording()) static_cast<void>(detail::open_layer(category, no_name));
}

void pop_layer() {
  if (!is_recording()) return;
  ThreadLog& log = log_of(current_session());
  if (!log.layers.empty()) close_layer(log);  // else it began before the recording
}

void count_inner_call() {
  if (!is_recording()) return;
  ThreadLog& log = log_of(current_session());
  if (!log.layers.empty()) ++log.layers.back().inner;
}

void begin_api_call(NameId name, std::uint64_t correlation) {
  if (!is_recording()) return;
  ThreadLog& log = log_of(current_session());
  log.calls.push_back(name);
  write(log, EventKind::api_begin, Category::cuda_api, name, correlation);
}

void end_api_call(std::uint64_t result) {
  if (!is_recording()) return;
  ThreadLog& log = log_of(current_session());
  if (log.calls.empty()) return;  // it began before the recording
  const NameId name = log.calls.back();
  log.calls.pop_back();
  write(log, EventKind::api_end, Category::cuda_api, name, result);
}

void begin_profile(std::string_view process, std::string_view phase) {
  const std::uint32_t number = current_session();
  const std::uint16_t lane = number == 0 ? std::uint16_t{0} : log_of(number).lane;
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  if (state.region) throw AnnotationError("begin_profile: a region is open; regions do not nest");
  state.process = process, state.phase = phase;
  state.progress = 0;
  state.region = OpenRegion{.begin_ns = ns_of(CLOCK_MONOTONIC), .recorded = state.session != nullptr};
  if (state.session)
    state.session->regions.push_back(
        {.phase = state.phase, .begin = ticks_of(state.session->settings.source), .end = 0, .lane = lane});
}

std::uint64_t end_profile() {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  if (!state.region) throw AnnotationError("end_profile: no region is open");
  if (state.region->recorded && state.session) {
    RecordedRegion& region = state.session->regions.back();
    region.end = ticks_of(state.session->settings.source);
    region.phase = state.phase;
  }
  const std::uint64_t ns = ns_of(CLOCK_MONOTONIC) - state.region->begin_ns;
  state.region.reset();
  return ns;
}

void set_process_name(std::string_view name) {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  state.process = name;
}

void set_phase(std::string_view name) {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  state.phase = name;
}

void set_metadata(const std::string& key, const std::string& value) {
  Shared& state = shared();
  const std::scoped_lock lock(state.mutex);
  if (state.session) state.session->metadata[key] = value;
}

void report_progress(double fraction) {
  static const NameId name = intern("progress");
  mark_progress(fraction, name, fraction >= 0 && fraction <= 1 ? static_cast<std::uint64_t>(fraction * 1e6) : 0);
}

void report_progress(std::uint64_t steps, std::uint64_t total) {
  if (total == 0) throw AnnotationError("report_progress: a total of 0 steps");
  static const NameId name = intern("steps");
  mark_progress(static_cast<double>(steps) / static_cast<double>(total), name, steps);
}

OperationToken current_operation() {
  if (!is_recording()) return {};
  const ThreadLog& log = log_of(current_session());
  return log.operations.empty() ? OperationToken{} : OperationToken{log.operations.back().name};
}

void adopt_operation(OperationToken token) {
  if (!is_recording()) return;
  ThreadLog& log = log_of(current_session());
  if (!log.operations.empty() && !log.operations.back().adopted)
    throw AnnotationError("adopt_operation: this thread has an operation of its own, '" +
                          name_of(log.operations.back().name) + "'");
  if (!log.operations.empty()) close_operation(log);
  if (token.name == no_name) return;
  log.operations.push_back({.name = token.name, .adopted = true});
  write(log, EventKind::operation_begin, Category::app, token.name, 1);
}

}  // namespace retrial::profiler::inline recording
