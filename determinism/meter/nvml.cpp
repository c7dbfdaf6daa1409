#include "determinism/meter/nvml.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "results/json/json.hpp"
#include "results/text/text.hpp"

namespace retrial::determinism::inline meter {
/// The part of nvml.h (13.0.87) that is used: an ABI that these versions of the functions have kept since they exist.
/// Not in the unnamed namespace: Nvml::Library has functions of these types.
namespace nvml_abi {
using Device = struct nvmlDevice_st*;
using Unsigned = unsigned int;
using Long = unsigned long long;  // NOLINT(google-runtime-int)
struct Process {
  Unsigned pid;
  Long memory;
  Unsigned instance, compute_instance;
};
static_assert(sizeof(Process) == 24);
}  // namespace nvml_abi

namespace {

using nvml_abi::Device, nvml_abi::Unsigned, nvml_abi::Long, nvml_abi::Process;

constexpr int success = 0, too_small = 7;
constexpr Unsigned sm_clock = 1, memory_clock = 2, die = 0, text_length = 96;
constexpr Long unknown_memory = ~0ULL;

struct ThrottleReason {
  Long bit;
  const char* word;
};
constexpr auto throttle_reasons = std::to_array<ThrottleReason>({
    {0x02, "clocks were set"},
    {0x04, "power"},
    {0x08, "hardware"},
    {0x10, "another card"},
    {0x20, "heat"},
    {0x40, "heat of the hardware"},
    {0x80, "power supply"},
    {0x100, "a display"},
});

}  // namespace

struct Nvml::Library {
  void* handle = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error)(int) = nullptr;
  int (*driver)(char*, Unsigned) = nullptr;
  int (*count)(Unsigned*) = nullptr;
  int (*by_index)(Unsigned, Device*) = nullptr;
  int (*name)(Device, char*, Unsigned) = nullptr;
  int (*uuid)(Device, char*, Unsigned) = nullptr;
  int (*mig)(Device, Unsigned*, Unsigned*) = nullptr;
  int (*slice_count)(Device, Unsigned*) = nullptr;
  int (*slice)(Device, Unsigned, Device*) = nullptr;
  int (*ecc)(Device, Unsigned*, Unsigned*) = nullptr;
  int (*power_limit)(Device, Unsigned*) = nullptr;
  int (*max_clock)(Device, Unsigned, Unsigned*) = nullptr;
  int (*clock)(Device, Unsigned, Unsigned*) = nullptr;
  int (*energy)(Device, Long*) = nullptr;
  int (*power)(Device, Unsigned*) = nullptr;
  int (*temperature)(Device, Unsigned, Unsigned*) = nullptr;
  int (*throttle)(Device, Long*) = nullptr;
  int (*processes)(Device, Unsigned*, Process*) = nullptr;

  explicit Library(void* opened) : handle(opened) {
    find(init, "nvmlInit_v2");
    find(shutdown, "nvmlShutdown");
    find(error, "nvmlErrorString");
    find(driver, "nvmlSystemGetDriverVersion");
    find(count, "nvmlDeviceGetCount_v2");
    find(by_index, "nvmlDeviceGetHandleByIndex_v2");
    find(name, "nvmlDeviceGetName");
    find(uuid, "nvmlDeviceGetUUID");
    find(mig, "nvmlDeviceGetMigMode");
    find(slice_count, "nvmlDeviceGetMaxMigDeviceCount");
    find(slice, "nvmlDeviceGetMigDeviceHandleByIndex");
    find(ecc, "nvmlDeviceGetEccMode");
    find(power_limit, "nvmlDeviceGetPowerManagementLimit");
    find(max_clock, "nvmlDeviceGetMaxClockInfo");
    find(clock, "nvmlDeviceGetClockInfo");
    find(energy, "nvmlDeviceGetTotalEnergyConsumption");
    find(power, "nvmlDeviceGetPowerUsage");
    find(temperature, "nvmlDeviceGetTemperature");
    find(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons");
    find(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
  }
  ~Library() {
    if (shutdown != nullptr) shutdown();
    dlclose(handle);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  [[nodiscard]] std::string reason(int status) const {
    const char* text = error == nullptr ? nullptr : error(status);
    return text == nullptr ? "NVML error " + std::to_string(status) : results::one_line(text, 200);
  }
  /// The value that a function writes behind its arguments.
  template <typename T, typename Function, typename... Arguments>
  [[nodiscard]] Reading<T> ask(Function function, Arguments... arguments) const {
    if (function == nullptr) return Reading<T>::none("this driver has no such function");
    T value{};
    const int status = function(arguments..., &value);
    return status == success ? Reading<T>::of(value) : Reading<T>::none(reason(status));
  }
  template <typename Function, typename... Arguments>
  [[nodiscard]] Reading<std::string> text(Function function, Arguments... arguments) const {
    if (function == nullptr) return Reading<std::string>::none("this driver has no such function");
    std::array<char, text_length> buffer{};
    const int status = function(arguments..., buffer.data(), text_length);
    buffer.back() = 0;
    return status == success ? Reading<std::string>::of(results::one_line(buffer.data(), text_length))
                             : Reading<std::string>::none(reason(status));
  }

 private:
  template <typename Function>
  void find(Function& function, const char* name_of_it) {
    function = reinterpret_cast<Function>(dlsym(handle, name_of_it));
  }
};

namespace {

/// The reading in another unit.
template <typename From>
Reading<double> scaled(const Reading<From>& from, double factor) {
  if (!from.value) return Reading<double>::none(from.reason);
  return Reading<double>::of(static_cast<double>(*from.value) * factor);
}

constexpr double milli = 1e-3, bytes_per_mib = 1 << 20;

}  // namespace

class Nvml::NvmlCard final : public Card {
 public:
  NvmlCard(std::shared_ptr<const Library> library, Device device) : lib_(std::move(library)), device_(device) {}

  [[nodiscard]] std::string name() const override { return lib_->text(lib_->name, device_).value.value_or("unknown"); }
  [[nodiscard]] Reading<std::string> uuid() const override { return lib_->text(lib_->uuid, device_); }
  [[nodiscard]] Reading<int> slices() const override {
    Unsigned current = 0, pending = 0;
    if (lib_->mig == nullptr || lib_->mig(device_, &current, &pending) != success || current == 0)
      return Reading<int>::of(0);  // a card that cannot be divided says that it does not know the question
    const auto places = lib_->ask<Unsigned>(lib_->slice_count, device_);
    if (!places.value || lib_->slice == nullptr) return Reading<int>::none(places.reason);
    int found = 0;
    for (Unsigned place = 0; place < *places.value; ++place) {
      Device slice = nullptr;
      found += lib_->slice(device_, place, &slice) == success;
    }
    return Reading<int>::of(found);
  }
  [[nodiscard]] Reading<bool> ecc() const override {
    Unsigned current = 0, pending = 0;
    if (lib_->ecc == nullptr) return Reading<bool>::none("this driver has no such function");
    const int status = lib_->ecc(device_, &current, &pending);
    return status == success ? Reading<bool>::of(current != 0) : Reading<bool>::none(lib_->reason(status));
  }
  [[nodiscard]] Reading<double> power_limit_w() const override {
    return scaled(lib_->ask<Unsigned>(lib_->power_limit, device_), milli);
  }
  [[nodiscard]] Reading<double> max_sm_clock_mhz() const override {
    return scaled(lib_->ask<Unsigned>(lib_->max_clock, device_, sm_clock), 1);
  }
  [[nodiscard]] Reading<std::uint64_t> energy_mj() const override {
    const auto found = lib_->ask<Long>(lib_->energy, device_);
    return found.value ? Reading<std::uint64_t>::of(*found.value) : Reading<std::uint64_t>::none("no_counter");
  }
  [[nodiscard]] Reading<double> power_w() const override {
    return scaled(lib_->ask<Unsigned>(lib_->power, device_), milli);
  }
  [[nodiscard]] Reading<double> sm_clock_mhz() const override {
    return scaled(lib_->ask<Unsigned>(lib_->clock, device_, sm_clock), 1);
  }
  [[nodiscard]] Reading<double> memory_clock_mhz() const override {
    return scaled(lib_->ask<Unsigned>(lib_->clock, device_, memory_clock), 1);
  }
  [[nodiscard]] Reading<double> temperature_c() const override {
    return scaled(lib_->ask<Unsigned>(lib_->temperature, device_, die), 1);
  }
  [[nodiscard]] Reading<std::string> throttled() const override {
    const auto bits = lib_->ask<Long>(lib_->throttle, device_);
    if (!bits.value) return Reading<std::string>::none(bits.reason);
    std::vector<std::string> words;
    for (const ThrottleReason& reason : throttle_reasons)
      if ((*bits.value & reason.bit) != 0) words.emplace_back(reason.word);
    return Reading<std::string>::of(words.empty() ? "none" : results::joined(words));
  }
  [[nodiscard]] Reading<Neighbours> neighbours() const override {
    if (lib_->processes == nullptr) return Reading<Neighbours>::none("this driver has no such function");
    std::vector<Process> found(16);
    for (int attempt = 0; attempt < 3; ++attempt) {  // others may start between two calls
      auto count = static_cast<Unsigned>(found.size());
      const int status = lib_->processes(device_, &count, found.data());
      if (status == too_small) {
        found.resize(std::max<std::size_t>(count, 2 * found.size()));
        continue;
      }
      if (status != success) return Reading<Neighbours>::none(lib_->reason(status));
      found.resize(count);
      Neighbours out;
      for (const Process& process : found) {
        if (process.pid == static_cast<Unsigned>(getpid())) continue;
        ++out.count;
        if (process.memory != unknown_memory) out.memory_mib += static_cast<double>(process.memory) / bytes_per_mib;
      }
      return Reading<Neighbours>::of(out);
    }
    return Reading<Neighbours>::none("the list of programs kept growing");
  }

 private:
  std::shared_ptr<const Library> lib_;
  Device device_;
};

Reading<std::shared_ptr<Nvml>> Nvml::open(const std::string& library) {
  using Opened = Reading<std::shared_ptr<Nvml>>;
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Opened::none("no " + library);
  auto found = std::make_shared<Library>(handle);
  if (found->init == nullptr || found->count == nullptr || found->by_index == nullptr) {
    found->shutdown = nullptr;
    return Opened::none(library + " is not NVIDIA's management library, or older than its second version");
  }
  if (const int status = found->init(); status != success) {
    found->shutdown = nullptr;
    return Opened::none(found->reason(status));
  }
  return Opened::of(std::shared_ptr<Nvml>(new Nvml(std::move(found))));
}

Nvml::~Nvml() = default;

Reading<std::string> Nvml::driver() const {
  return library_->text(library_->driver);
}

std::vector<std::unique_ptr<Card>> Nvml::cards() const {
  std::vector<std::unique_ptr<Card>> out;
  const auto count = library_->ask<Unsigned>(library_->count);
  for (Unsigned index = 0; index < count.value.value_or(0); ++index) {
    const auto device = library_->ask<Device>(library_->by_index, index);
    if (device.value) out.push_back(std::make_unique<NvmlCard>(library_, *device.value));
  }
  return out;
}

namespace {

template <typename T>
Json read(const Reading<T>& reading) {
  return reading.value ? Json(*reading.value) : Json{{"not_recorded", reading.reason}};
}

Json read(const Reading<Neighbours>& reading) {
  if (!reading.value) return {{"not_recorded", reading.reason}};
  return {{"count", reading.value->count}, {"memory_mib", reading.value->memory_mib}};
}

}  // namespace

Json cards_document(const Reading<std::shared_ptr<Nvml>>& nvml) {
  if (!nvml.value) return {{"not_recorded", nvml.reason}};
  Json cards = Json::array();
  for (const auto& card : (*nvml.value)->cards())
    cards.push_back({{"name", card->name()},
                     {"slices", read(card->slices())},
                     {"ecc", read(card->ecc())},
                     {"power_limit_w", read(card->power_limit_w())},
                     {"max_sm_clock_mhz", read(card->max_sm_clock_mhz())},
                     {"sm_clock_mhz", read(card->sm_clock_mhz())},
                     {"memory_clock_mhz", read(card->memory_clock_mhz())},
                     {"temperature_c", read(card->temperature_c())},
                     {"power_w", read(card->power_w())},
                     {"energy_counter", card->energy_mj().value.has_value()},
                     {"throttled", read(card->throttled())},
                     {"neighbours", read(card->neighbours())}});
  return {{"driver", read((*nvml.value)->driver())}, {"cards", std::move(cards)}};
}

}  // namespace retrial::determinism::inline meter
