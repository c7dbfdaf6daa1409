// The worker of a GPU on a machine that has none: it starts, says so, runs trials of the CPU with the CPU's bits, and
// refuses the others before the first.
#include <filesystem>

#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/portable/short_runs.hpp"

namespace retrial::tests::portable::cuda_worker_cuda_tests {

namespace {

const std::string cuda_worker = "retrial-worker-cuda";

bool has_driver() {
  return std::filesystem::exists("/dev/nvidiactl") || std::filesystem::exists("/dev/dxg");
}

std::string said_by_doctor(const std::string& what) {
  const FullFolder folder;
  const Ran ran = run_retrial(folder, {"doctor", "--json"});
  INFO(ran.out << ran.err);
  REQUIRE(ran.code == 0);
  return field(ran.out, what);
}

/// True, and said in words, where the libraries that libtorch_cuda needs are not there.
bool left_out() {
  const std::string problem = said_by_doctor("cuda_worker_problem");
  if (problem == "null") return false;
  WARN("left out: " << problem << " (scripts/setup --cuda)");
  return true;
}

/// Every fourth short trial: those of all workloads take a minute.
std::vector<Case> some_cases() {
  std::vector<Case> some;
  const std::vector<Case> all = all_cases();
  for (std::size_t i = 0; i < all.size(); i += 4) some.push_back(all[i]);
  return some;
}

}  // namespace

TEST_CASE("the worker of a GPU starts, or says which library it lacks") {
  CHECK_THAT(said_by_doctor("cuda_worker"), has_text(cuda_worker));
  CHECK_THAT(said_by_doctor("cuda_worker_problem"),
             has_text("null") || has_text("error while loading shared libraries"));
}

TEST_CASE("without a driver the worker of a GPU says that there is no device, and why", "[needs-cudalibraries]") {
  if (left_out()) return;
  if (has_driver())
    CHECK_THAT(said_by_doctor("gpus"), !has_text("no NVIDIA driver"));
  else
    CHECK(said_by_doctor("gpus") == "none: no NVIDIA driver is installed");
}

TEST_CASE("the worker of a GPU runs trials of the CPU with every digest of the CPU's worker", "[needs-cudalibraries]") {
  if (left_out()) return;
  const std::vector<Case> cases = some_cases();
  const auto on_cpu = run(cases, "deterministic", "");
  std::size_t digests = 0;
  for (const auto& record : on_cpu) digests += record.digests.size();
  CHECK(digests > cases.size());
  CHECK(differences(cases, on_cpu, run(cases, "deterministic", "", cuda_worker)).empty());
  // The control: other kernels give other bits.
  CHECK_FALSE(differences(cases, on_cpu, run(cases, "portable", "", cuda_worker)).empty());
}

TEST_CASE("a study on a GPU ends before its first trial where there is no driver", "[needs-cudalibraries]") {
  if (left_out()) return;
  const FullFolder folder;
  const Ran ran = run_retrial(folder, {"run", "null", "--mode", "deterministic,cuda", "--seed", "1", "--pairs", "1"});
  if (has_driver()) {
    CHECK(ran.code == 0);  // null has no tensors, so it runs under every mode
    return;
  }
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, has_text("error: device = \"cuda\": no NVIDIA driver is installed\n"));
}

}  // namespace retrial::tests::portable::cuda_worker_cuda_tests
