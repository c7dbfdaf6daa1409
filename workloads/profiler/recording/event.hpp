#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace retrial::profiler::inline recording {

using NameId = std::uint32_t;
inline constexpr NameId no_name = std::numeric_limits<NameId>::max();

enum class EventKind : std::uint8_t {
  operation_begin = 1,  ///< arg 1: adopted from another thread
  operation_end,
  layer_begin,
  layer_end,  ///< arg: inner calls that only counted
  gpu_begin,  ///< t in ns; arg: correlation id
  gpu_end,    ///< t in ns; arg: operation that launched it
  api_begin,  ///< arg: correlation id
  api_end,    ///< arg: result
  progress,   ///< arg: steps, or millionths under the name "progress"
  counter,    ///< arg: bits of a double
  flow,
  overhead_begin,
  overhead_end,
};
inline constexpr std::uint8_t last_event_kind = 13;

enum class Category : std::uint8_t {
  app,  ///< the layer of a thread that has entered no other
  simulator,
  backend,
  cuda_api,
  gpu_kernel,
  gpu_memcpy,
  gpu_memset,
  prof_annotation,
  prof_hook,
  prof_api,
  prof_cupti,      ///< inflation inside CUPTI
  cupti_overhead,  ///< measured by CUPTI itself
};
inline constexpr std::array<std::string_view, 12> category_names{
    "App",        "Simulator",      "Backend",  "CUDA API", "GPU kernel", "GPU memcpy",
    "GPU memset", "ProfAnnotation", "ProfHook", "ProfApi",  "ProfCupti",  "CuptiOverhead"};
[[nodiscard]] constexpr std::string_view name_of(Category category) {
  return category_names.at(static_cast<std::size_t>(category));
}
[[nodiscard]] constexpr bool is_cpu_layer(Category c) {
  return c <= Category::cuda_api;
}
[[nodiscard]] constexpr bool is_gpu(Category c) {
  return c >= Category::gpu_kernel && c <= Category::gpu_memset;
}
[[nodiscard]] constexpr bool is_profiling(Category c) {
  return c >= Category::prof_annotation;
}

/// One end of an interval, or a mark. Files hold these 24 bytes, little-endian.
struct Event {
  std::uint64_t t;  ///< ticks of the clock; ns of CLOCK_REALTIME for a GPU
  std::uint64_t arg;
  NameId name;
  EventKind kind;
  Category category;
  std::uint16_t lane;  ///< number of the thread; device * 256 + stream for a GPU

  bool operator==(const Event&) const = default;
};
static_assert(sizeof(Event) == 24);

/// An annotation that does not fit the ones before it.
class AnnotationError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace retrial::profiler::inline recording
