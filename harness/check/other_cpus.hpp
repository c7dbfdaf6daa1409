#pragma once

#include "harness/check/check_protocol.hpp"
#include "harness/emulator/emulator.hpp"

/// Would it come out the same on another CPU? One trial of each variant, every source at pair 0, natively and under
/// emulated CPUs: of a workload the whole worker is emulated, of a user's program the program alone.
namespace retrial::harness::inline check {

/// One trial on one CPU.
struct CpuRun {
  std::string cpu;  ///< the model; "native"
  results::TrialRecord record;
  std::optional<Difference> difference;  ///< from the native run
  /// The first CPU of the list with the same outcome, if that is not the CPU itself.
  std::optional<std::string> same_as;
  /// Programs that the user's program started: they ran natively. Absent where that is not known.
  std::optional<std::vector<std::string>> not_emulated = std::vector<std::string>{};
  /// False where two native runs differ: then a difference is not the CPU's. Looked at only where there is one.
  bool repeats_natively = true;
};

/// unknown: equal, as far as it was emulated; or different, as two runs on one CPU are too.
enum class CpuResult { native, equal, unknown, different, failed };
[[nodiscard]] CpuResult result_of(const CpuRun& run);
[[nodiscard]] std::string_view name_of(CpuResult result);

struct CpuReport {
  std::string variant;
  std::vector<CpuRun> runs;  ///< the native one, then one per model in the order given
  std::vector<std::string> remarks;
};

/// Uses max_steps (of workloads), pool, folders and progress of the settings, and its suspects: settings that may make
/// CPUs agree, tried on those with AVX2 where a user's program differs. Trained networks are shared by the variants on
/// one CPU, never by two CPUs. A silent worker has a hundred times the patience of the pool. A trial that fails under a
/// model is reported, one that fails natively throws Error{measurement}, as check_variant does.
[[nodiscard]] std::vector<CpuReport> check_cpus(const Study& study, const PlanInputs& inputs,
                                                const CheckSettings& settings, const Emulator& emulator,
                                                const std::vector<Model>& models);

}  // namespace retrial::harness::inline check
