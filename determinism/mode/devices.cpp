#include "determinism/mode/devices.hpp"

#include "results/json/json.hpp"

namespace retrial::determinism::inline mode {
namespace {

Json (*device_probe)() = nullptr;

}  // namespace

Json found_devices() {
  return device_probe ? device_probe() : Json();
}

std::int64_t wave_limit(std::int64_t multiprocessors, std::int64_t threads_per_multiprocessor) {
  constexpr std::int64_t block = 256;
  return block * multiprocessors * (threads_per_multiprocessor / block);
}

void set_device_probe(Json (*probe)()) {
  device_probe = probe;
}

}  // namespace retrial::determinism::inline mode
