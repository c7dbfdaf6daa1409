#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace retrial::harness::inline doctor {

/// What `retrial doctor` looks at, as it was found: values only, so that the findings can be tested without a host.
struct HostFacts {
  std::filesystem::path worker;             ///< where the worker was looked for
  std::optional<std::string> worker_build;  ///< its build id; nothing: not there, or no ELF file with one
  bool worker_found = false, worker_has_torch = false;
  int cpus = 1;
  std::vector<std::string> isas, modes_not_here;
  std::optional<double> load;  ///< of the last minute
  std::optional<std::string> governor, cpu_model;
  std::filesystem::path folder;  ///< where a store would be written
  std::string file_system;
  bool network_file_system = false, folder_writable = true;
  std::optional<double> free_bytes, memory_bytes;
  std::vector<std::string> variables_set;  ///< of those that decide which kernels run
};

[[nodiscard]] HostFacts host_facts(const std::optional<std::string>& worker, const std::filesystem::path& folder);

/// One thing found: what it is and what to do about it.
struct HostFinding {
  std::string code, text, advice;
};
struct HostFindings {
  std::vector<HostFinding> warnings;         ///< something will not work, or spoil a result
  std::vector<HostFinding> recommendations;  ///< something could be better
};
[[nodiscard]] HostFindings findings_of(const HostFacts& facts);

}  // namespace retrial::harness::inline doctor
