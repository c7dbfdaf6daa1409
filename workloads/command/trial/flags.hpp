#pragma once

#include <vector>

#include "workloads/interface/contribution.hpp"

namespace retrial::workloads::command::inline trial {

/// Options that run a program without a study file: its command line, and how to read its output.
[[nodiscard]] std::vector<Flag> flags();

}  // namespace retrial::workloads::command::inline trial
