#pragma once

#include <string>
#include <string_view>

#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::profiler::inline traces {

/// Trace Event Format for chrome://tracing, Perfetto and TensorBoard, with Kineto's categories: the same bytes for the
/// same timeline.
[[nodiscard]] std::string chrome_json(const Timeline& timeline);

/// A trace of ours or of another program, torch.profiler's above all, read event by event: no document is built in
/// memory. Error{integrity} for what is no such trace, with the byte.
[[nodiscard]] Timeline read_chrome(std::string_view text, const std::string& file);

}  // namespace retrial::profiler::inline traces
