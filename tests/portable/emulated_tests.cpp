#include <cstdio>
#include <cstdlib>

#include "results/record/identity.hpp"
#include "tests/catch.hpp"
#include "tests/portable/short_runs.hpp"
#include "workloads/interface/trial/split.hpp"

/// Mode portable gives the same bits on CPUs of two vendors, shown on one machine: an emulator (qemu-x86_64, whose
/// arithmetic is exact) shows another CPU to the worker. RETRIAL_CPU_MODELS names the models, separated by commas:
///     RETRIAL_CPU_MODELS=Haswell,Skylake-Server,EPYC,EPYC-Rome,EPYC-Milan portable_tests "short trials*"
namespace retrial::tests::portable::emulated_tests {

namespace {

/// Empty: both can run.
std::string no_emulator_or_mode() {
  if (std::system("qemu-x86_64 --version >/dev/null 2>&1") != 0) return "no qemu-x86_64 (Debian's package qemu-user)";
  return unavailable();
}

std::vector<std::string> models() {
  const char* named = std::getenv("RETRIAL_CPU_MODELS");
  std::vector<std::string> all;
  for (const std::string_view one : workloads::split(named == nullptr ? "EPYC-Rome" : named, ',', " "))
    all.emplace_back(one);
  return all;
}

std::string outcome_of(const std::vector<results::TrialRecord>& records) {
  std::vector<results::Outcome> outcomes;
  for (const auto& record : records)
    outcomes.push_back({record.identity, record.replicate, results::payload_digest(record)});
  return results::hex(results::outcome_digest(std::move(outcomes)));
}

}  // namespace

TEST_CASE("short trials give the same bits on every model of a CPU under portable", "[slow][needs-emulator]") {
  if (const std::string why = no_emulator_or_mode(); !why.empty()) {
    WARN("left out: " << why);
    return;
  }
  const std::vector<Case> cases = all_cases();
  const std::vector<results::TrialRecord> native = run(cases, "portable", "");
  REQUIRE(native.size() == cases.size());
  for (const std::string& model : models()) {
    REQUIRE_FALSE(model.empty());
    const std::vector<results::TrialRecord> emulated = run(cases, "portable", model);
    for (const std::string& difference : differences(cases, native, emulated))
      FAIL_CHECK("here and on " << model << ": " << difference);
    CHECK(outcome_of(native) == outcome_of(emulated));
    std::printf("%s: %zu short trials compared with this CPU\n", model.c_str(), cases.size());
  }
}

/// The detector sees what it must see: without the mode, two vendors get other bits, whatever CPU this is.
TEST_CASE("under deterministic an emulated Haswell and an emulated EPYC-Rome differ", "[slow][needs-emulator]") {
  if (const std::string why = no_emulator_or_mode(); !why.empty()) {
    WARN("left out: " << why);
    return;
  }
  const std::vector<Case> cases = first_cases();
  CHECK_FALSE(
      differences(cases, run(cases, "deterministic", "Haswell"), run(cases, "deterministic", "EPYC-Rome")).empty());
}

}  // namespace retrial::tests::portable::emulated_tests
