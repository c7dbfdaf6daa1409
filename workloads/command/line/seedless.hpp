#pragma once

#include <string>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline line {

/// Output without what differs between two runs of a program that ignores its seed: the seeds of the trial, the names
/// of its folder, times, speeds and dates ("3.2 s", "07:28:26,123", "train_runtime": 12.3, "81 samples/s") and
/// addresses in memory.
[[nodiscard]] std::string without_seeds(const Trial& trial, const std::string& output);

}  // namespace retrial::workloads::command::inline line
