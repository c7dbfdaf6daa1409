#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "workloads/command/reading/output.hpp"

namespace retrial::workloads::command::inline process {

/// What is started. argv[0] is looked up in the PATH of `environment`'s process, as execvp does.
struct Launch {
  std::vector<std::string> argv, environment;
  std::filesystem::path workdir;  ///< empty: where we are
};

/// How it ended, and what it cost: the program with all descendants it waited for.
struct Finished {
  int exit_code = 0;
  std::optional<int> signal;
  double wall_s = 0, cpu_s = 0;
  /// Linux counts what the forking process used as use of the program it becomes, so a program smaller than the
  /// worker is sampled while it runs; nothing when it was too fast for that.
  std::optional<double> peak_rss_mib;
  Output output;  ///< stdout and stderr as they came
};

/// Runs a program to its end: no shell, stdin from /dev/null, nothing of ours open in it but the pipe of its output,
/// in our process group, and killed by the kernel when we die. A background process that it leaves behind with the
/// pipe open is not waited for. Throws TrialFailure command.not_found, .not_executable, .workdir or .start.
[[nodiscard]] Finished run_program(const Launch& launch);

/// The file that execvp would start: `name` itself when it contains '/', else the first executable of that name in
/// PATH; relative paths from `workdir`. Nothing when there is none.
[[nodiscard]] std::optional<std::filesystem::path> program_file(const std::string& name,
                                                                const std::filesystem::path& workdir);

}  // namespace retrial::workloads::command::inline process
