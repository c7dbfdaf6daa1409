#include "harness/emulator/models.hpp"

#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::models_tests {

using harness::asked_models;
using harness::lacking_in;
using harness::ModelName;
using harness::models_in;

namespace {

/// Lines of `qemu-x86_64 -cpu help`, QEMU 7.2.22 of Debian 12.
const std::string help_7_2 =
    "Available CPUs:\n"
    "x86 486                   (alias configured by machine type)\n"
    "x86 EPYC-Rome             (alias configured by machine type)\n"
    "x86 EPYC-Rome-v1          AMD EPYC-Rome Processor\n"
    "x86 Haswell               (alias configured by machine type)\n"
    "x86 Haswell-noTSX         (alias of Haswell-v2)\n"
    "x86 Haswell-v2            Intel Core Processor (Haswell, no TSX)\n"
    "x86 max                   Enables all features supported by the accelerator in the current host\n"
    "\n"
    "Recognized CPUID flags:\n"
    "  3dnow 3dnowext 3dnowprefetch abm\n";
/// The same list as QEMU 9.2 prints it, by its documentation.
const std::string help_9_2 =
    "Available CPUs:\n"
    "  486                   (alias configured by machine type)\n"
    "  EPYC-Rome-v1          AMD EPYC-Rome-v1 Processor\n"
    "\nRecognized CPUID flags:\n  3dnow\n";

const std::vector<ModelName> known = models_in(help_7_2);

std::vector<std::string> able() {
  return {"EPYC-Rome", "Haswell"};
}

retrial::ErrorText error_of(const std::vector<std::string>& given) {
  try {
    (void)asked_models(given, known, able);
  } catch (const retrial::Error& error) {
    return error.text;
  }
  return {};
}

}  // namespace

TEST_CASE("the models of the emulator are read with their revisions, and the flags behind them are not") {
  std::string bases, revisions;
  for (const auto& model : known) (model.base ? bases : revisions) += model.name + " ";
  CHECK(bases == "486 EPYC-Rome Haswell max ");
  CHECK(revisions == "EPYC-Rome-v1 Haswell-noTSX Haswell-v2 ");
  const auto newer = models_in(help_9_2);
  REQUIRE(newer.size() == 2);
  CHECK(newer[0].name == "486");
  CHECK(newer[1].name == "EPYC-Rome-v1");
  CHECK(models_in("qemu-x86_64: no such option").empty());
}

TEST_CASE("models are taken in the order given, revisions too") {
  CHECK(asked_models({"Haswell-v2", "EPYC-Rome"}, known, able) == std::vector<std::string>{"Haswell-v2", "EPYC-Rome"});
}

TEST_CASE("an unknown model gets its nearest name, in whatever case it was typed") {
  for (const auto& [typed, near] :
       {std::pair{"epyc-rome", "EPYC-Rome"}, {"HASWEL", "Haswell"}, {"haswell-v3", "Haswell-v2"}}) {
    const auto error = error_of({typed});
    CHECK(error.exit == retrial::Exit::usage);
    CHECK(error.field == "--cpu");
    CHECK(error.value == typed);
    CHECK(error.allowed == "EPYC-Rome, Haswell");
    CHECK_THAT(error.help, has_text("did you mean " + std::string(near) + "?"));
  }
  CHECK_THAT(error_of({"M1"}).help, !has_text("did you mean") && has_text("retrial check --cpu list"));
}

TEST_CASE("a model given twice, and none at all, are refused") {
  CHECK(error_of({"Haswell", "Haswell"}).problem == "is given twice");
  CHECK(error_of({}).problem == "names no CPU model");
}

TEST_CASE("what the emulator lacks is read from its warnings, by the names that it takes") {
  CHECK(lacking_in("qemu-x86_64: warning: TCG doesn't support requested feature: CPUID.07H:EBX.avx512f [bit 16]\n"
                   "qemu-x86_64: warning: TCG doesn't support requested feature: CPUID.01H:ECX.tsc-deadline [bit 24]\n"
                   "{\"vendor\":\"GenuineIntel\"}\n") == std::vector<std::string>{"avx512f", "tsc-deadline"});
  CHECK(lacking_in("loss 0.5. [bit 3]\n").empty());
}

}  // namespace retrial::tests::models_tests
