#pragma once

#include <sys/types.h>

#include "workloads/command/process/descriptor.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/command/process/starts.hpp"

namespace retrial::workloads::command::inline process {

struct Child {
  pid_t pid;
  Descriptor output;  ///< the reading end of the pipe, not blocking
  Starts starts;      ///< nothing is known unless the launch asked for it
};

/// Forks and becomes the program; returns once it is running. Throws as `run_program` does.
[[nodiscard]] Child spawn(const Launch& launch);

}  // namespace retrial::workloads::command::inline process
