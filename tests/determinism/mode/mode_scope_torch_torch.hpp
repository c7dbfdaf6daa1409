#pragma once

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include "determinism/mode/switches.hpp"

namespace retrial::determinism {

/// The mode this process can run: the instruction set is fixed by its environment, before it started.
inline KernelMode mode_here(bool deterministic, int threads) {
  const std::string capability = at::get_cpu_capability();
  return {.preset = deterministic ? "deterministic" : "nondeterministic",
          .deterministic = deterministic,
          .threads = threads,
          .isa = capability == "AVX512" ? "avx512"
                 : capability == "AVX2" ? "avx2"
                                        : "default"};
}

/// A mode for the length of a test; then the library's defaults at the former number of threads.
class ModeScope {
 public:
  explicit ModeScope(const KernelMode& mode) : threads_(at::get_num_threads()) { apply_kernel_mode(mode); }
  ~ModeScope() { apply_kernel_mode(mode_here(false, threads_)); }
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

 private:
  int threads_;
};

}  // namespace retrial::determinism
