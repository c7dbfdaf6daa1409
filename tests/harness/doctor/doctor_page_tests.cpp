// One page of the doctor, for people and for programs.
#include "harness/doctor/doctor_page.hpp"
#include "harness/text/section_text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/doctor/machine.hpp"

namespace retrial::tests::doctor_page_tests {

using namespace retrial;
using namespace retrial::harness;
using fixture::machine;

namespace {

std::string page(const HostFindings& findings) {
  return section_text(*doctor_part(machine(), findings).section, {.width = 80});
}

}  // namespace

TEST_CASE("a machine without a warning is ready, and what is not known is said to be unknown", "[doctor]") {
  const auto text = page({});
  CHECK(text.starts_with("This machine\n  worker            /opt/retrial-worker, build id feed\n"));
  CHECK(text.find("  governor          unknown\n") != std::string::npos);
  CHECK(text.ends_with("/data on ext4, free space unknown\n\nready to run and read studies\n"));
}

TEST_CASE("a recommendation keeps a machine ready, a warning does not", "[doctor]") {
  const HostFinding finding{.code = "load.high", .text = "load 9 on 4 CPUs", .advice = "wait"};
  CHECK(page({.recommendations = {finding}})
            .ends_with("\nrecommendation: load 9 on 4 CPUs; help: wait\n\nready to run and read studies\n"));
  CHECK(page({.warnings = {finding}}).ends_with("\nwarning: load 9 on 4 CPUs; help: wait\n"));
}

TEST_CASE("programs read what is not known as null", "[doctor]") {
  const auto data = doctor_part(machine(), {}).data;
  CHECK(data.at("schema") == "retrial.doctor/1");
  CHECK(data.at("load").is_null());
  CHECK(data.at("warnings").empty());
}

TEST_CASE("cards are shown with what is known of them", "[doctor]") {
  auto facts = machine();
  CHECK(section_text(*doctor_part(facts, {}).section).find("NVIDIA driver") == std::string::npos);
  const Json missing{{"not_recorded", "no such function"}};
  facts.cards = {{"driver", "580.65"},
                 {"cards", Json::array({{{"name", "NVIDIA A"},
                                         {"power_limit_w", 700.0},
                                         {"max_sm_clock_mhz", 1980.0},
                                         {"energy_counter", true},
                                         {"slices", 3},
                                         {"throttled", "heat"}},
                                        {{"name", "NVIDIA B"},
                                         {"power_limit_w", missing},
                                         {"max_sm_clock_mhz", missing},
                                         {"energy_counter", false},
                                         {"slices", missing},
                                         {"throttled", missing}}})}};
  const auto text = section_text(*doctor_part(facts, {}).section, {.width = 200});
  CHECK(text.find("580.65\n") != std::string::npos);
  CHECK(text.find("NVIDIA A: 700 W, up to 1980 MHz, energy counter, 3 slices (MIG), slowed down by heat\n") !=
        std::string::npos);
  CHECK(text.find("NVIDIA B: no energy counter\n") != std::string::npos);
}

}  // namespace retrial::tests::doctor_page_tests
