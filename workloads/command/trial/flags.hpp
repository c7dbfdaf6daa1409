#pragma once

#include <vector>

#include "workloads/interface/contribution.hpp"

namespace retrial::workloads::command::inline trial {

/// Options for a program without a study file: its command line, and how it is read.
[[nodiscard]] std::vector<Flag> flags();

}  // namespace retrial::workloads::command::inline trial
