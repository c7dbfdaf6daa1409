#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "determinism/mode/numeric_state.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/determinism/mode/mode_scope_torch_torch.hpp"

namespace retrial::determinism::switches_tests {

namespace {

constexpr const char* answer_variable = "TEST_READ_BACK_FILE";

std::map<std::string, std::string> own_environment() {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const auto at = text.find('=');
    if (at != std::string::npos) all[text.substr(0, at)] = text.substr(at + 1);
  }
  return all;
}

/// The read-back of a process that is started with this environment and then applies the mode.
Json read_back_of_child(const KernelMode& mode) {
  const auto file = std::filesystem::temp_directory_path() / ("retrial-read-back-" + std::to_string(getpid()));
  auto variables = environment_for(mode, own_environment());
  variables[answer_variable] = file.string();
  variables["TEST_MODE"] = mode_document(mode).dump();
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
  std::vector<char*> envp;
  for (std::string& entry : entries) envp.push_back(entry.data());
  envp.push_back(nullptr);
  std::string program = "/proc/self/exe", filter = "[read-back-child]";
  char* argv[] = {program.data(), filter.data(), nullptr};
  pid_t child = 0;
  REQUIRE(posix_spawn(&child, program.c_str(), nullptr, nullptr, argv, envp.data()) == 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  return results::parse_json(text.str(), "child");
}

std::string expected_branch(const std::string& isa) {
  return isa == "avx2" ? "AVX2" : isa == "avx512" ? "AVX512" : "COMPATIBLE";
}

}  // namespace

// Started by the test below in an environment of its own; hidden from a plain run.
TEST_CASE("reads its kernel mode back", "[.][read-back-child]") {
  const char* file = std::getenv(answer_variable);
  const char* mode = std::getenv("TEST_MODE");
  REQUIRE(file);
  REQUIRE(mode);
  apply_kernel_mode(mode_from_document(results::parse_json(mode, "TEST_MODE")));
  std::ofstream(file) << results::canonical(read_back());
}

TEST_CASE("a process started with a mode's environment reads that mode back, for every instruction set of this CPU") {
  const HostCpu host = this_host();
  for (const std::string& isa : host.isas)
    for (const bool deterministic : {true, false}) {
      const KernelMode mode{.preset = deterministic ? "deterministic" : "nondeterministic",
                            .deterministic = deterministic,
                            .threads = std::min(2, host.cores),
                            .isa = isa};
      const Json effective = read_back_of_child(mode);
      CHECK(compare_modes(mode, effective) == std::vector<std::string>{});
      CHECK(effective["threads_inter"] == mode.threads);
      CHECK(effective["openmp_threads"] == mode.threads);
      CHECK(effective["mxcsr_main"] == "1f80");
      // MKL of another maker's CPU answers AUTO to all branches but COMPATIBLE.
      const Json& branch = effective["mkl"]["branch"];
      CHECK((branch == expected_branch(isa) || (isa != "default" && branch == "AUTO")));
      CHECK(effective["mkl"]["strict"] == (isa != "default"));
      if (mode.threads < 2) break;
    }
}

TEST_CASE("switches that are applied are read back, both ways") {
  for (const bool deterministic : {true, false, true}) {
    const KernelMode mode = mode_here(deterministic, 1);
    const ModeScope scope(mode);
    const Json effective = read_back();
    CHECK(compare_modes(mode, effective) == std::vector<std::string>{});
    CHECK(effective["deterministic_algorithms"] == deterministic);
    CHECK(effective["cudnn_deterministic"] == deterministic);
    CHECK(effective["attention"]["flash"] == !deterministic);
    CHECK(effective["attention"]["math"] == true);
    CHECK(effective["fill_uninitialised"] == true);
    CHECK(effective["mxcsr_pool"] == "none");
  }
}

TEST_CASE("oneDNN, TF32 and autotune follow their axes") {
  KernelMode mode = mode_here(false, 1);
  mode.onednn = false, mode.tf32 = true, mode.autotune = true;
  const ModeScope scope(mode);
  const Json effective = read_back();
  CHECK(compare_modes(mode, effective) == std::vector<std::string>{});
  CHECK(effective["onednn"] == false);
  CHECK(effective["float32_precision"]["cuda.matmul"] == "tf32");
  CHECK(effective["float32_precision"]["onednn.conv"] == "ieee");
  CHECK(effective["cudnn_benchmark"] == true);
}

TEST_CASE("a switch changed after the mode was applied is detected") {
  const KernelMode mode = mode_here(true, 1);
  const ModeScope scope(mode);
  at::globalContext().setDeterministicAlgorithms(true, true);
  CHECK(compare_modes(mode, read_back()) == std::vector<std::string>{"warn_only: requested false, effective true"});
  apply_kernel_mode(mode);
  at::globalContext().setUserEnabledMkldnn(false);
  CHECK(compare_modes(mode, read_back()) == std::vector<std::string>{"onednn: requested true, effective false"});
  apply_kernel_mode(mode);
  CHECK(compare_modes(mode, read_back()).empty());
}

TEST_CASE("mixing the old precision switches with the new is seen and not thrown") {
  const KernelMode mode = mode_here(true, 1);
  const ModeScope scope(mode);
  at::globalContext().setFloat32MatmulPrecision("high");
  const auto differences = compare_modes(mode, read_back());
  REQUIRE_FALSE(differences.empty());
  CHECK_THAT(differences[0], has_text("tf32: requested ieee"));
  at::globalContext().setFloat32MatmulPrecision("highest");
}

TEST_CASE("flushing of denormals is seen in the control register") {
  const KernelMode mode = mode_here(true, 1);
  const ModeScope scope(mode);
  CHECK(mxcsr() == "1f80");
  at::globalContext().setFlushDenormal(true);
  CHECK(mxcsr() == "9fc0");
  CHECK(compare_modes(mode, read_back()) == std::vector<std::string>{"flush_denormal: requested 1f80, effective 9fc0"});
  apply_kernel_mode(mode);
  CHECK(mxcsr() == "1f80");
}

TEST_CASE("with two threads a pool thread answers for its own control register", "[needs-cores]") {
  if (this_host().cores < 2) {
    WARN("left out: one core");
    return;
  }
  const ModeScope scope(mode_here(true, 2));
  const Json effective = read_back();
  CHECK(effective["threads"] == 2);
  CHECK(effective["mxcsr_pool"] == "1f80");
}

TEST_CASE("inherit leaves every switch as it is") {
  const ModeScope scope(mode_here(true, 1));
  const Json before = read_back();
  apply_kernel_mode({.preset = "inherit", .deterministic = false, .threads = 2, .onednn = false});
  CHECK(read_back() == before);
}

TEST_CASE("the read-back names the libraries and can be hashed") {
  const Json effective = read_back();
  CHECK(effective["torch"] == effective["libraries"]["torch"]);
  CHECK_THAT(effective["libraries"]["torch"].get<std::string>(), has_text("2."));
  CHECK_THAT(effective["libraries"]["mkl"].get<std::string>(), has_text("Math Kernel Library") || has_text("MKL"));
  CHECK_NOTHROW(results::canonical(effective));
}

}  // namespace retrial::determinism::switches_tests
