#include "determinism/mode/switches.hpp"
#include "results/json/json.hpp"

namespace retrial::determinism::inline mode {

// Without LibTorch, a mode is only its environment variables, which were set before this process started.
void apply_kernel_mode(const KernelMode&) {}

Json read_back() {
  return {{"torch", nullptr}};
}

}  // namespace retrial::determinism::inline mode
