#include "workloads/profiler/recording/annotation.hpp"

#include <bit>
#include <cmath>

#include "workloads/profiler/recording/names.hpp"
#include "workloads/profiler/recording/session.hpp"

namespace retrial::profiler::inline recording {
namespace {

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

void mark_progress(double fraction, NameId name, std::uint64_t arg) {
  Shared& state = shared();
  {
    const std::scoped_lock lock(state.mutex);
    if (!(fraction >= 0 && fraction <= 1))
      throw AnnotationError("report_progress: " + std::to_string(fraction) + " is not a fraction from 0 to 1");
    if (!state.region && !state.session) return;  // a process may train more than once
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
