#pragma once

#include <string>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/worker/process.hpp"

/// Surroundings that may change the result of a user's program, tried out by `check`.
namespace retrial::harness::inline check {

/// Something around a program that may reach its result: how it is changed, and what it means if the result changes.
struct Suspect {
  std::string name;     ///< "OMP_NUM_THREADS=1"
  std::string reaches;  ///< "the number of threads": what then reaches the result
  std::string advice;
  /// True for a setting that a user chooses: a result that depends on it is one to pin, not a defect.
  bool setting = false;
  Surroundings surroundings;
};

/// Suspects to try on a trial that repeats, and those that cannot be tried on this machine, with the reason.
struct Suspects {
  std::vector<Suspect> to_try;
  std::vector<std::string> left_out;
};

/// `mirror`: an empty folder for links to the current one in another order of files. Another date needs the program
/// faketime (of libfaketime) in PATH.
[[nodiscard]] Suspects suspects_to_try(const determinism::KernelMode& mode, const std::filesystem::path& mirror);

/// Settings of libraries that choose their kernels by CPU, under which CPUs with AVX2 may agree.
[[nodiscard]] std::vector<Suspect> cpu_pins();

/// Settings under which a trial that does not repeat may repeat: the usual causes, one by one. The clock needs the
/// program faketime.
[[nodiscard]] std::vector<Suspect> pins_to_try();

}  // namespace retrial::harness::inline check
