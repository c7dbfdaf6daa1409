#include "determinism/mode/host_cpu.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace retrial::determinism::inline mode {
namespace {

int affinity_cores() {
  // Machines with more than 1,024 CPUs need a larger mask than cpu_set_t; the kernel returns EINVAL until it fits.
  for (int cpus = CPU_SETSIZE; cpus <= (1 << 20); cpus *= 2) {
    cpu_set_t* mask = CPU_ALLOC(static_cast<std::size_t>(cpus));
    if (!mask) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(cpus));
    const bool read = sched_getaffinity(0, bytes, mask) == 0;
    const int count = read ? CPU_COUNT_S(bytes, mask) : 0;
    CPU_FREE(mask);
    if (read) return std::max(count, 1);
  }
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

// The features that ATen requires for its AVX2 and AVX-512 kernels.
bool runs(const std::string& isa) {
  if (isa == "default") return true;
#if defined(__x86_64__)
  if (isa == "avx2") return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (isa == "avx512")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
#endif
  return false;
}

}  // namespace

const std::vector<std::string>& isa_names() {
  static const std::vector<std::string> names = {"default", "avx2", "avx512"};
  return names;
}

HostCpu this_host() {
  HostCpu host{.cores = affinity_cores(), .isas = {}};
  std::copy_if(isa_names().begin(), isa_names().end(), std::back_inserter(host.isas), runs);
  return host;
}

HostCpu any_host() {
  return {.cores = std::numeric_limits<int>::max(), .isas = isa_names()};
}

}  // namespace retrial::determinism::inline mode
