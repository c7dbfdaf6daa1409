#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/interface/trial.hpp"

namespace retrial::workloads::command::inline line {

/// "NAME=value" texts: our environment without any TRIAL_ variable of the kind below (a trial must not inherit the seed
/// of another), then TRIAL_PAIR, TRIAL_OUT, and for every honoured source TRIAL_SEED_<SOURCE> (31 bits, upper case, '-'
/// as '_');
/// the source `seed` is TRIAL_SEED, and whole TRIAL_SEED64.
[[nodiscard]] std::vector<std::string> environment_of(const Trial& trial, const std::filesystem::path& out);

/// "data-order" is "TRIAL_SEED_DATA_ORDER".
[[nodiscard]] std::string variable_of(const std::string& source);

}  // namespace retrial::workloads::command::inline line
