// A libnvidia-ml.so.1 for tests: two cards of invented numbers. STAND_IN_NVML names a situation: "mig" (the second card
// is divided), "no_driver", "lost" (the second card is off the bus), "busy" (20 other programs), "stuck" (the list of
// programs never fits). With STAND_IN_OLD some functions do not exist.
#include <unistd.h>

#include <cstring>
#include <string>

namespace {

std::string situation() {
  const char* name = getenv("STAND_IN_NVML");
  return name == nullptr ? "" : name;
}

unsigned index_of(const void* device) {
  return static_cast<unsigned>(reinterpret_cast<std::size_t>(device)) - 1;
}

int written(char* to, unsigned length, const std::string& text) {
  if (text.size() + 1 > length) return 7;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return 0;
}

struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned instance, compute_instance;
};

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return situation() == "no_driver" ? 9 : 0;
}
int nvmlShutdown() {
  return 0;
}
const char* nvmlErrorString(int status) {
  return status == 9 ? "Driver Not Loaded" : status == 15 ? "GPU is lost" : status == 3 ? "Not Supported" : "Error";
}
int nvmlSystemGetDriverVersion(char* to, unsigned length) {
  return written(to, length, "580.65.06");
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (situation() == "lost" && index == 1) return 15;
  *device = reinterpret_cast<void*>(static_cast<std::size_t>(index) + 1);
  return 0;
}
int nvmlDeviceGetName(void* device, char* to, unsigned length) {
  return written(to, length, index_of(device) == 0 ? "NVIDIA Stand-in A" : "NVIDIA Stand-in B");
}
int nvmlDeviceGetUUID(void* device, char* to, unsigned length) {
  return written(to, length, "GPU-" + std::to_string(index_of(device)));
}
int nvmlDeviceGetEccMode(void* device, unsigned* current, unsigned* pending) {
  *current = *pending = index_of(device) == 0 ? 1 : 0;
  return 0;
}
int nvmlDeviceGetPowerManagementLimit(void*, unsigned* milliwatts) {
  *milliwatts = 700'000;
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, unsigned kind, unsigned* mhz) {
  *mhz = kind == 1 ? 1980 : 2619;
  return 0;
}
int nvmlDeviceGetClockInfo(void*, unsigned kind, unsigned* mhz) {
  *mhz = kind == 1 ? 1755 : 2619;
  return 0;
}
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* degrees) {
  *degrees = 41;
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 250'000;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* bits) {
  *bits = index_of(device) == 0 ? 1 : 4 | 32;  // idle, which is no reason; power and heat
  return 0;
}
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) {
  if (index_of(device) == 0) return 3;
  *current = *pending = situation() == "mig" ? 1 : 0;
  return 0;
}
int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return 0;
}
int nvmlDeviceGetMigDeviceHandleByIndex(void*, unsigned index, void** device) {
  if (index >= 3) return 6;
  *device = reinterpret_cast<void*>(static_cast<std::size_t>(100 + index));
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, Process* found) {
  const unsigned there = situation() == "busy" ? 21 : situation() == "stuck" ? *count + 1 : 1;
  if (*count < there) {
    *count = there;
    return 7;
  }
  *count = there;
  for (unsigned i = 0; i < there; ++i)
    found[i] = {i == 0 ? static_cast<unsigned>(getpid()) : 100'000 + i, 1 << 20, 0, 0};
  return 0;
}
#ifndef STAND_IN_OLD
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  static unsigned long long counter = 0;
  *millijoules = counter += 500'000;
  return 0;
}
#endif
}
