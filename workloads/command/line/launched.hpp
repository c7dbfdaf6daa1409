#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace retrial::workloads::command::inline line {

/// A command line after a launcher, and the assignments of `env` found in it ("NAME=value").
struct Launched {
  std::vector<std::string> argv, assignments;
};

/// The command line under which the launcher runs the same program, as a file of machine code: looked up in PATH, links
/// not followed; for a script, its interpreter with the script; after `env NAME=value` and in `#!/usr/bin/env NAME`,
/// the program that env would start, because the launcher runs one program, not those that this one becomes. What else
/// a program starts (a shell, `env -i`) is left to it. Without a launcher, or for a program that is not found: `argv`.
[[nodiscard]] Launched launched(const std::vector<std::string>& launcher, const std::vector<std::string>& argv,
                                const std::filesystem::path& workdir);

/// The environment with these assignments.
[[nodiscard]] std::vector<std::string> assigned(std::vector<std::string> environment,
                                                const std::vector<std::string>& assignments);

}  // namespace retrial::workloads::command::inline line
