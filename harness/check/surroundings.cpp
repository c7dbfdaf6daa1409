#include "harness/check/surroundings.hpp"

#include <cstdlib>

#include "harness/check/mirror.hpp"
#include "harness/system/host.hpp"

namespace retrial::harness::inline check {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Suspect threads(int count) {
  const auto text = std::to_string(count);
  Suspect suspect{.name = text + (count == 1 ? " thread" : " threads"),
                  .reaches = "the number of threads",
                  .advice = "sums depend on their order: pin it (OMP_NUM_THREADS, or --mode deterministic)",
                  .setting = true,
                  .surroundings = {}};
  for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"})
    suspect.surroundings.environment[name] = text;
  return suspect;
}

/// Another number than the program has now.
Suspect other_threads(const determinism::KernelMode& mode) {
  const auto given = variable("OMP_NUM_THREADS");
  const bool one = !mode.inherit() ? mode.threads == 1 : given.empty() ? usable_cpus() == 1 : given == "1";
  return threads(one ? 2 : 1);
}

Suspect hash_seed(const std::string& value) {
  return {.name = "PYTHONHASHSEED=" + value,
          .reaches = "the order of a Python set, or another use of hash()",
          .advice = "sort what is iterated, or export PYTHONHASHSEED=0",
          .setting = true,
          .surroundings = {.environment = {{"PYTHONHASHSEED", value}}, .folder = {}}};
}

/// No zone of the world is this far from UTC, so that hour and minute change wherever the program runs.
Suspect time_zone() {
  return {.name = "another time zone",
          .reaches = "the local time",
          .advice = "let no clock into the result",
          .surroundings = {.environment = {{"TZ", "XST-13:47"}}, .folder = {}}};
}

Suspect locale() {
  const auto now = variable("LC_ALL");
  const std::string other = now == "C" ? "C.UTF-8" : "C";
  return {.name = "LC_ALL=" + other,
          .reaches = "the language settings",
          .advice = "sort and format without the locale",
          .surroundings = {.environment = {{"LC_ALL", other}}, .folder = {}}};
}

}  // namespace

std::vector<Suspect> suspects_to_try(const determinism::KernelMode& mode, const std::filesystem::path& mirror) {
  std::vector<Suspect> suspects{hash_seed(variable("PYTHONHASHSEED") == "0" ? "1" : "0"), other_threads(mode),
                                time_zone(), locale()};
  if (mirrored_in_other_order(std::filesystem::current_path(), mirror))
    suspects.push_back({.name = "files in another order",
                        .reaches = "the order in which a folder lists its files, or the folder's name",
                        .advice = "sort the names (sorted(os.listdir(...)))",
                        .surroundings = {.environment = {}, .folder = mirror}});
  return suspects;
}

std::vector<Suspect> pins_to_try() {
  return {hash_seed("0"), threads(1)};
}

std::vector<Suspect> cpu_pins() {
  auto portable = determinism::variables_of(determinism::mode_from_name("portable", "", determinism::any_host()));
  return {{.name = "OPENBLAS_CORETYPE=Haswell",
           .reaches = "OpenBLAS (NumPy, SciPy) chooses its kernels by CPU",
           .advice = "export OPENBLAS_CORETYPE=Haswell",
           .setting = true,
           .surroundings = {.environment = {{"OPENBLAS_CORETYPE", "Haswell"}}, .folder = {}}},
          {.name = "the variables of kernel mode portable",
           .reaches = "PyTorch and MKL choose their kernels by CPU",
           .advice = "run it with --mode portable",
           .setting = true,
           .surroundings = {.environment = std::move(portable), .folder = {}}}};
}

}  // namespace retrial::harness::inline check
