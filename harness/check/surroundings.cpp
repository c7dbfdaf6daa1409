#include "harness/check/surroundings.hpp"

#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

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

/// A zone in which date, hour and minute are others than here: one of 23:47 hours west and east of Greenwich (POSIX
/// counts to the west). From 24 hours on, Python's datetime refuses a zone.
Suspect time_zone() {
  constexpr std::time_t west = (23 * 60 + 47) * 60;
  const std::time_t now = std::time(nullptr), there = now - west;
  std::tm here{}, elsewhere{};
  ::localtime_r(&now, &here);
  ::gmtime_r(&there, &elsewhere);
  const bool other_date = here.tm_yday != elsewhere.tm_yday;
  return {.name = "another time zone",
          .reaches = "the local time or date",
          .advice = "keep the clock out of the result",
          .surroundings = {.environment = {{"TZ", other_date ? "XST+23:47" : "XST-23:47"}}, .folder = {}}};
}

/// 400 days, 2 hours, 11 minutes and 31 seconds later: nothing of date and time of day stays, in UTC either.
constexpr const char* later = "+34567891s";

/// The library that the program faketime preloads; empty without that program. It cannot launch a worker itself: it
/// starts a child and waits for it, and a worker ends when its parent is not the front end.
std::string faketime_library() {
  const auto command = std::string("faketime -f ") + later + " sh -c 'printf %s \"$LD_PRELOAD\"' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  for (int c = 0; output && (c = std::fgetc(output.get())) != EOF;) text += static_cast<char>(c);
  return text;
}

Suspect date(const std::string& library) {
  return {.name = "another date",
          .reaches = "the date or the time of day",
          .advice = "keep the clock out of the result",
          .surroundings = {.environment = {{"LD_PRELOAD", library},
                                           {"FAKETIME", later},
                                           {"FAKETIME_DONT_FAKE_MONOTONIC", "1"},
                                           {"DONT_FAKE_MONOTONIC", "1"}},
                           .folder = {}}};
}

/// Starts at the same time in every run and advances by a millisecond whenever it is read, so that a program that waits
/// for a time ends. The worker reads it, too, at other moments in every run, and must not advance it.
Suspect same_clock(const std::string& library) {
  return {.name = "a clock that starts at the same time",
          .reaches = "the clock",
          .advice = "take no seed and no value from the clock",
          .surroundings = {.environment = {{"LD_PRELOAD", library},
                                           {"FAKETIME", "@2020-12-24 20:30:00 i0.001"},
                                           {"FAKETIME_SKIP_CMDS", "retrial-worker,retrial-worker-cuda"},
                                           {"FAKETIME_DONT_FAKE_MONOTONIC", "1"},
                                           {"DONT_FAKE_MONOTONIC", "1"}},
                           .folder = {}}};
}

/// True if this word runs a program here: containers forbid some of what such programs do.
bool launches(const std::string& launcher) {
  return std::system((launcher + " true >/dev/null 2>&1").c_str()) == 0;
}

/// The first CPU that this process may use; nothing if it is the only one.
std::optional<int> one_of_several_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 2) return std::nullopt;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) return cpu;
  return std::nullopt;
}

Suspect one_cpu(int cpu) {
  return {.name = "one CPU",
          .reaches = "the number of CPUs",
          .advice = "give the number of threads and of workers explicitly",
          .setting = true,
          .surroundings = {.environment = {}, .folder = {}, .launcher = {"taskset", "-c", std::to_string(cpu)}}};
}

Suspect temporary(const std::filesystem::path& folder) {
  return {.name = "another temporary folder",
          .reaches = "a file left in the temporary folder, or the folder's name",
          .advice = "read only what this run has written, and let no name of a folder reach the result",
          .surroundings = {.environment = {{"TMPDIR", folder.string()}}, .folder = {}}};
}

Suspect fixed_addresses() {
  return {.name = "addresses that are not randomized",
          .reaches = "the address of an object (id(), a pointer)",
          .advice = "sort and seed by values, never by addresses",
          .surroundings = {.environment = {}, .folder = {}, .launcher = {"setarch", "-R"}}};
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

Suspects suspects_to_try(const determinism::KernelMode& mode, const std::filesystem::path& mirror) {
  Suspects suspects{
      .to_try = {hash_seed(variable("PYTHONHASHSEED") == "0" ? "1" : "0"), other_threads(mode), time_zone(), locale()},
      .left_out = {}};
  const auto here = mirror / "folder", elsewhere = mirror / "tmp";
  std::filesystem::create_directories(here);
  std::filesystem::create_directories(elsewhere);
  suspects.to_try.push_back(temporary(elsewhere));
  if (const auto cpu = one_of_several_cpus(); cpu && launches("taskset -c " + std::to_string(*cpu)))
    suspects.to_try.push_back(one_cpu(*cpu));
  else
    suspects.left_out.emplace_back(cpu ? "one CPU (needs the program taskset)" : "one CPU (there is only one)");
  if (mirrored_in_other_order(std::filesystem::current_path(), here))
    suspects.to_try.push_back({.name = "files in another order",
                               .reaches = "the order in which a folder lists its files, or the folder's name",
                               .advice = "sort the names (sorted(os.listdir(...)))",
                               .surroundings = {.environment = {}, .folder = here}});
  else
    suspects.left_out.emplace_back("files in another order (this folder cannot be mirrored)");
  if (const auto library = faketime_library(); !library.empty())
    suspects.to_try.push_back(date(library));
  else
    suspects.left_out.emplace_back("another date (needs the program faketime)");
  return suspects;
}

std::vector<Suspect> pins_to_try() {
  std::vector<Suspect> pins{hash_seed("0")};
  if (const auto library = faketime_library(); !library.empty()) pins.push_back(same_clock(library));
  pins.push_back(threads(1));
  if (launches("setarch -R")) pins.push_back(fixed_addresses());
  return pins;
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
