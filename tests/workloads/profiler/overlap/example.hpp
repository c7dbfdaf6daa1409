// Input E2 of the specification of the profiler, times in units of 10 ns, so that tenths are whole.
#pragma once

#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::tests::profiler_example {

inline profiler::Span span(std::int64_t start, std::int64_t end, profiler::NameId name, std::uint32_t lane,
                           profiler::Category category, std::uint64_t id = 0) {
  return {{start * 10, end * 10}, name, lane, category, id};
}

/// One thread and one stream. The second launch of each operation starts the work of the GPU.
inline profiler::Timeline e2() {
  using profiler::Category;
  profiler::Timeline t;
  t.process = "training";
  t.names = {"train",   "step",      "inference",        "simulation", "backprop",
             "Backend", "Simulator", "cudaLaunchKernel", "gemm"};
  t.lanes = {{.name = "thread 0"}, {.gpu = true, .name = "GPU 0 stream 7", .number = 7}};
  t.regions = {{{0, 1000}, "training", 0}};
  t.operations = {span(0, 100, 0, 0, Category::app), span(5, 60, 1, 0, Category::app),
                  span(10, 30, 2, 0, Category::app), span(30, 50, 3, 0, Category::app),
                  span(60, 95, 4, 0, Category::app)};
  t.layers = {span(12, 28, 5, 0, Category::backend), span(32, 48, 6, 0, Category::simulator),
              span(62, 90, 5, 0, Category::backend)};
  t.calls = {span(14, 16, 7, 0, Category::cuda_api, 1), span(20, 21, 7, 0, Category::cuda_api, 2),
             span(65, 70, 7, 0, Category::cuda_api, 3), span(80, 82, 7, 0, Category::cuda_api, 4)};
  t.gpu = {span(16, 24, 8, 1, Category::gpu_kernel, 1), span(68, 88, 8, 1, Category::gpu_kernel, 3)};
  return t;
}

}  // namespace retrial::tests::profiler_example
