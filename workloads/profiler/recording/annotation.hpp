#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "workloads/profiler/recording/event.hpp"
#include "workloads/profiler/recording/recording.hpp"

/// What the code of a training says about itself. Without a recording every annotation is one predicted branch at each
/// end.
namespace retrial::profiler::inline recording {

namespace detail {
/// Number of the recording that runs; 0: none. The other two have it where it keeps operations, and layers.
inline constinit std::atomic<std::uint32_t> session{0}, operations{0}, layers{0};

/// Each returns the depth of the stack before it.
[[nodiscard]] std::uint32_t open_operation(NameId name);
[[nodiscard]] std::uint32_t open_layer(Category category, NameId name);
void close_operations(std::uint32_t number, std::uint32_t depth) noexcept;
void close_layers(std::uint32_t number, std::uint32_t depth) noexcept;
}  // namespace detail

[[nodiscard]] inline bool is_recording() {
  return detail::session.load(std::memory_order_relaxed) != 0;
}

/// An operation of the algorithm, until the end of the block. Operations of a thread nest.
class Operation {
 public:
  explicit Operation(NameId name) : session_(detail::operations.load(std::memory_order_relaxed)) {
    if (session_ != 0) [[unlikely]]
      depth_ = detail::open_operation(name);
  }
  explicit Operation(std::string_view name) : session_(detail::operations.load(std::memory_order_relaxed)) {
    if (session_ != 0) [[unlikely]]
      depth_ = detail::open_operation(intern(name));
  }
  ~Operation() {
    if (session_ != 0) [[unlikely]]
      detail::close_operations(session_, depth_);
  }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

 private:
  std::uint32_t session_, depth_ = 0;
};

/// A layer of software, until the end of the block: App, Simulator, Backend or CUDA API. It suspends the one outside
/// it.
class Layer {
 public:
  explicit Layer(Category category, NameId name = no_name) : session_(detail::layers.load(std::memory_order_relaxed)) {
    if (session_ != 0) [[unlikely]]
      depth_ = detail::open_layer(category, name);
  }
  ~Layer() {
    if (session_ != 0) [[unlikely]]
      detail::close_layers(session_, depth_);
  }
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

 private:
  std::uint32_t session_, depth_ = 0;
};

#define RETRIAL_JOINED_(a, b) a##b
#define RETRIAL_JOINED(a, b) RETRIAL_JOINED_(a, b)
/// Operation whose name is interned once per place in the code.
#define RETRIAL_OPERATION(text)                                                          \
  const ::retrial::profiler::Operation RETRIAL_JOINED(retrial_operation_, __LINE__)([] { \
    static const ::retrial::profiler::NameId name = ::retrial::profiler::intern(text);   \
    return name;                                                                         \
  }())

/// The pair for code without blocks. AnnotationError: a name that is not the innermost, an empty stack.
void push_operation(NameId name);
void pop_operation(NameId name);

/// The pair of a layer, for a collector, which is called at the begin and at the end of what it intercepts.
void push_layer(Category category);
void pop_layer();
/// A call below the one that opened this layer: counted, not timed.
void count_inner_call();

/// A call of the API of the GPU that a collector intercepts.
void begin_api_call(NameId name, std::uint64_t correlation);
void end_api_call(std::uint64_t result);

/// The measured region: only time inside one is reported. AnnotationError: one inside another, an end without begin.
void begin_profile(std::string_view process, std::string_view phase);
/// Nanoseconds of the region, from the same two readings of CLOCK_MONOTONIC whether or not anything is recorded.
std::uint64_t end_profile();

void set_process_name(std::string_view name);
void set_phase(std::string_view name);  ///< of the region that is open, or of the next
void set_metadata(const std::string& key, const std::string& value);

/// Marks the end of an iteration, in a region or a recording; elsewhere nothing. AnnotationError: a fraction outside
/// [0, 1], decreasing, or not a number.
void report_progress(double fraction);
void report_progress(std::uint64_t steps, std::uint64_t total);

/// The operation of this thread, for a thread that works for it.
struct OperationToken {
  NameId name = no_name;
};
[[nodiscard]] OperationToken current_operation();
/// From now on this thread, which has no operation of its own, works for that one; the empty token ends that.
void adopt_operation(OperationToken token);

}  // namespace retrial::profiler::inline recording
