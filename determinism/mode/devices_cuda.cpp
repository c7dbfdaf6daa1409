#include <cuda_runtime_api.h>

#include <cstdlib>
#include <string>

#include "determinism/mode/devices.hpp"
#include "results/json/json.hpp"

namespace retrial::determinism::inline mode {
namespace {

// 13000 -> "13.0"
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// CUDA's own text for a missing driver says that it is too old.
std::string reason_of(cudaError_t status, int driver, int runtime) {
  if (driver == 0) return "no NVIDIA driver is installed";
  if (status == cudaErrorInsufficientDriver)
    return "the NVIDIA driver is too old: it supports CUDA " + version_text(driver) + ", this program needs " +
           version_text(runtime);
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (status == cudaErrorNoDevice && visible)
    return std::string("no device is visible: CUDA_VISIBLE_DEVICES=") + visible;
  return cudaGetErrorString(status);
}

Json facts_of(int device) {
  cudaDeviceProp found{};
  if (const cudaError_t status = cudaGetDeviceProperties(&found, device); status != cudaSuccess)
    return {{"name", nullptr}, {"not_recorded", cudaGetErrorString(status)}};
  return {{"name", found.name},
          {"capability", std::to_string(found.major) + "." + std::to_string(found.minor)},
          {"multiprocessors", found.multiProcessorCount},
          {"memory_mib", found.totalGlobalMem >> 20},
          {"l2_mib", found.l2CacheSize >> 20},
          {"ecc", found.ECCEnabled != 0},
          {"wave_limit", wave_limit(found.multiProcessorCount, found.maxThreadsPerMultiProcessor)}};
}

// Asks the runtime library alone: of LibTorch's own questions some throw where there is no driver.
Json cuda_devices() {
  int driver = 0, runtime = 0, count = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  const cudaError_t status = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());  // else the next call of LibTorch reports it
  Json state{{"runtime", version_text(runtime)}, {"driver", driver == 0 ? Json() : Json(version_text(driver))}};
  if (status != cudaSuccess || count == 0) {
    state["devices"] = 0;
    state["reason"] = reason_of(status == cudaSuccess ? cudaErrorNoDevice : status, driver, runtime);
    return state;
  }
  state["devices"] = count;
  for (int device = 0; device < count; ++device) state["gpus"].push_back(facts_of(device));
  return state;
}

[[maybe_unused]] const bool registered = (set_device_probe(cuda_devices), true);

}  // namespace
}  // namespace retrial::determinism::inline mode
