// A stand-in for libnvidia-ml.so.1 (stand_in_nvml.cpp) has the expected numbers.
#include "determinism/meter/gpu_meter.hpp"

#include <cstdlib>
#include <limits>

#include "determinism/meter/nvml.hpp"
#include "results/json/json.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::meter_tests {

using namespace retrial;
using namespace retrial::determinism;

namespace {

constexpr const char* library = RETRIAL_BINARY_DIR "/tests/stand_in/libnvidia-ml.so.1";
constexpr const char* old_library = RETRIAL_BINARY_DIR "/tests/stand_in_old/libnvidia-ml.so.1";

class Situation {
 public:
  explicit Situation(const char* name) { setenv("STAND_IN_NVML", name, 1); }
  ~Situation() { unsetenv("STAND_IN_NVML"); }
  Situation(const Situation&) = delete;
  Situation& operator=(const Situation&) = delete;
};

Json cards(const char* file = library) {
  return cards_document(Nvml::open(file));
}

Reading<std::uint64_t> mj(std::uint64_t value) {
  return Reading<std::uint64_t>::of(value);
}

}  // namespace

TEST_CASE("the cards of a machine are read, each with what it has") {
  const Json found = cards();
  CHECK(found.at("driver") == "580.65.06");
  REQUIRE(found.at("cards").size() == 2);
  const Json& first = found.at("cards").at(0);
  CHECK(first.at("name") == "NVIDIA Stand-in A");
  CHECK(first.at("slices") == 0);
  CHECK(first.at("ecc") == true);
  CHECK(first.at("power_limit_w") == 700.0);
  CHECK(first.at("power_w") == 250.0);
  CHECK(first.at("sm_clock_mhz") == 1755.0);
  CHECK(first.at("max_sm_clock_mhz") == 1980.0);
  CHECK(first.at("memory_clock_mhz") == 2619.0);
  CHECK(first.at("temperature_c") == 41.0);
  CHECK(first.at("throttled") == "none");
  CHECK(first.at("energy_counter") == true);
  CHECK(first.at("neighbours").at("count") == 0);  // this process is none
  CHECK(found.at("cards").at(1).at("throttled") == "power, heat");
  CHECK_FALSE(first.contains("uuid"));
}

TEST_CASE("a divided card has its number of slices") {
  const Situation mig("mig");
  CHECK(cards().at("cards").at(1).at("slices") == 3);
  CHECK(cards().at("cards").at(0).at("slices") == 0);
}

TEST_CASE("a driver that does not answer, and a library that is missing, are the reason") {
  CHECK(cards("libnvidia-ml-of-nobody.so.1").at("not_recorded") == "no libnvidia-ml-of-nobody.so.1");
  const Situation none("no_driver");
  CHECK(cards().at("not_recorded") == "Driver Not Loaded");
}

TEST_CASE("another library is not taken for NVIDIA's") {
  CHECK_THAT(cards("libm.so.6").at("not_recorded").get<std::string>(), has_text("is not NVIDIA's"));
}

TEST_CASE("a card that fell off the bus is missing, and the other is there") {
  const Situation lost("lost");
  REQUIRE(cards().at("cards").size() == 1);
  CHECK(cards().at("cards").at(0).at("name") == "NVIDIA Stand-in A");
}

TEST_CASE("a function that the driver lacks makes its reading missing, nothing else") {
  const auto nvml = Nvml::open(old_library);
  REQUIRE(nvml.value);
  const auto found = (*nvml.value)->cards();
  CHECK(found.at(0)->energy_mj().reason == "no_counter");
  CHECK(found.at(0)->power_w().value == 250.0);
  GpuMeter meter(*found.at(0));
  const Json metrics = meter.metrics(2);
  CHECK(metrics.at("gpu_energy_j").at("value").is_null());
  CHECK(metrics.at("gpu_energy_j").at("reason") == "no_counter");
  CHECK(metrics.at("sampled_energy_j").at("value") == 500.0);
}

TEST_CASE("other programs are counted however many there are, and make a card shared") {
  const Situation busy("busy");
  const auto nvml = Nvml::open(library);
  const auto found = (*nvml.value)->cards();
  CHECK(found.at(0)->neighbours().value->count == 20);
  CHECK(found.at(0)->neighbours().value->memory_mib == 20.0);
  CHECK(GpuMeter(*found.at(0)).shared());
}

TEST_CASE("a list of programs that never fits is missing, not waited for") {
  const Situation stuck("stuck");
  const auto nvml = Nvml::open(library);
  CHECK((*nvml.value)->cards().at(0)->neighbours().reason == "the list of programs kept growing");
}

TEST_CASE("a meter takes energy from the counter, and the rest from samples") {
  const auto nvml = Nvml::open(library);
  const auto found = (*nvml.value)->cards();
  GpuMeter meter(*found.at(1));
  meter.sample();
  const Json metrics = meter.metrics(2);
  CHECK(metrics.at("gpu_energy_j").at("value") == 500.0);      // one step of the stand-in's counter
  CHECK(metrics.at("sampled_energy_j").at("value") == 500.0);  // 250 W for 2 s
  CHECK(metrics.at("sm_clock_mhz").at("value") == 1755.0);
  CHECK(metrics.at("throttled").at("value") == "power, heat");
  CHECK(metrics.at("other_programs").at("value") == 0);
  CHECK_FALSE(meter.shared());
  CHECK(meter.metrics(.5).at("gpu_energy_j").at("reason") == "too_short");
}

TEST_CASE("a counter that wraps is subtracted modulo 2^64, and one that began again is no energy") {
  constexpr auto last = std::numeric_limits<std::uint64_t>::max();
  CHECK(joules_between(mj(last - 999), mj(1000), 10).value == 2.0);
  CHECK(joules_between(mj(5'000'000), mj(1000), 10).reason == "counter_reset");
  CHECK(joules_between(mj(0), mj(100'000'000), 10).value == 100'000.0);  // 10 kW, the most that is believed
  CHECK(joules_between(mj(0), mj(100'000'001), 10).reason == "counter_reset");
  CHECK(joules_between(mj(0), mj(5), .99).reason == "too_short");
}

}  // namespace retrial::tests::meter_tests
