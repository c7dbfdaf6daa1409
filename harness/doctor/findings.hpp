#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::harness::inline doctor {

/// The facts that `retrial doctor` checks. Plain values, so that the findings can be tested without a host.
struct HostFacts {
  std::filesystem::path worker;             ///< where a worker is expected
  std::optional<std::string> worker_build;  ///< its build id; nothing: no such file, or an ELF file without one
  bool worker_found = false, worker_has_torch = false;
  std::string worker_problem;  ///< why it does not start; empty: it answered
  /// The worker of device = "cuda"; nothing: not built, and trials run on the CPU alone.
  std::optional<std::filesystem::path> cuda_worker;
  std::string cuda_problem;  ///< why it does not start; empty: it answered
  std::string gpus;          ///< names of devices found, or "none" with the reason
  Json cards;                ///< what the driver says of the GPUs: determinism::cards_document()
  int cpus = 1;
  std::vector<std::string> isas, unsupported_modes;
  std::optional<double> load;  ///< average of the last minute
  std::optional<std::string> governor, cpu_model;
  std::filesystem::path folder;  ///< where a store would be written
  std::string file_system;
  bool network_file_system = false, folder_writable = true;
  std::optional<double> free_bytes, memory_bytes;
  std::vector<std::string> variables_set;  ///< variables that affect the choice of kernels
};

/// `worker` and `cuda_worker`: paths in place of the programs next to this one. A given path without a program is an
/// error of the facts for the first, Error{incomparable} for the second.
[[nodiscard]] HostFacts host_facts(const std::optional<std::string>& worker,
                                   const std::optional<std::string>& cuda_worker, const std::filesystem::path& folder);

/// One finding and the advice.
struct HostFinding {
  std::string code, text, advice;
};
struct HostFindings {
  std::vector<HostFinding> warnings;         ///< something will not work, or would spoil a result
  std::vector<HostFinding> recommendations;  ///< something could be improved
};
[[nodiscard]] HostFindings findings_of(const HostFacts& facts);

}  // namespace retrial::harness::inline doctor
