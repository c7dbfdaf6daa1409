#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "workloads/command/reading/output.hpp"

namespace retrial::workloads::command::inline process {

/// A program to start. argv[0] is looked up in our PATH, as execvp does.
struct Launch {
  std::vector<std::string> argv, environment;
  std::filesystem::path workdir;  ///< empty: the current folder
  /// Time limit; the program is killed then. Zero: no limit.
  std::chrono::milliseconds patience{0};
  /// Called with the end of what was printed, at most every 250 ms.
  std::function<void(std::string_view)> heard = {};
  /// Collect orphans that end meanwhile, which this process adopted and has no other use for.
  bool collect_orphans = false;
  /// Also find out which programs it starts, itself or through others.
  bool notice_starts = false;
};

/// End and cost of the program, with all descendants it waited for.
struct Finished {
  int exit_code = 0;
  std::optional<int> signal;
  double wall_s = 0, cpu_s = 0;
  /// Linux counts the memory of the forking process as use of the program, so a program smaller than the worker is
  /// sampled while it runs; absent if it was too fast for that.
  std::optional<double> peak_rss_mib;
  std::optional<std::int64_t> instructions;  ///< in user space, by the kernel's hardware counter where it has one
  Output output;                             ///< stdout and stderr in the order written
  /// With notice_starts: the paths of the programs that were started below it; absent where the kernel does not say.
  std::optional<std::set<std::string>> started = {};
};

/// Runs a program to its end: no shell, stdin from /dev/null, no descriptor of ours but the pipe of its output, in our
/// process group, killed by the kernel when we die. A background process that keeps the pipe open is not waited for.
/// Throws TrialFailure command.not_found, .not_executable, .workdir or .start.
[[nodiscard]] Finished run_program(const Launch& launch);

/// False for what is missing or cannot be looked at, too.
[[nodiscard]] bool is_regular(const std::filesystem::path& file);

/// The folders of PATH in order, as execvp takes them; an empty one is the current folder.
[[nodiscard]] std::vector<std::filesystem::path> search_path();

/// "NAME=TEXT" of every variable that this process has.
[[nodiscard]] std::vector<std::string> own_environment();

/// The file that execvp would start: `name` itself when it contains '/', else the first executable of that name in
/// PATH; relative paths from `workdir`. Nothing if it does not exist.
[[nodiscard]] std::optional<std::filesystem::path> program_file(const std::string& name,
                                                                const std::filesystem::path& workdir);

}  // namespace retrial::workloads::command::inline process
