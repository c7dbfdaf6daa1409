#pragma once

#include <string>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/command_line/command.hpp"

namespace retrial::harness::inline run::inline options {

/// Result of --gpus and --per-gpu: worker i has gpus[i mod size] for its life.
struct GpuShare {
  std::vector<std::string> gpus;  ///< as CUDA_VISIBLE_DEVICES names them; empty on the CPU, and where none can be seen
  int per_gpu = 1;                ///< workers on one GPU
  [[nodiscard]] int workers() const { return static_cast<int>(gpus.size()) * per_gpu; }
};
/// Throws Error{usage} for options that do not fit: on the CPU, a GPU that is not there, several trials on one GPU
/// whose cost is judged. Throws Error{incomparable} where CUDA_VISIBLE_DEVICES hides every device.
[[nodiscard]] GpuShare gpu_share(const Arguments& arguments, const determinism::KernelMode& mode, bool cost_is_judged);

}  // namespace retrial::harness::inline run::inline options
