#include "determinism/mode/devices.hpp"

#include "results/json/json.hpp"

namespace retrial::determinism::inline mode {
namespace {

Json (*device_probe)() = nullptr;

}  // namespace

Json found_devices() {
  return device_probe ? device_probe() : Json();
}

void set_device_probe(Json (*probe)()) {
  device_probe = probe;
}

}  // namespace retrial::determinism::inline mode
