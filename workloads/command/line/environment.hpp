#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline line {

/// "NAME=value" texts: our environment without any TRIAL_ variable of the kind below (a trial must not inherit the seed
/// of another), then TRIAL_PAIR, TRIAL_OUT, TRIAL_LOG, and for every honored source TRIAL_SEED_<SOURCE> (31 bits,
/// upper case, '-' as '_'). The source `seed` is TRIAL_SEED, and TRIAL_SEED64 in full.
[[nodiscard]] std::vector<std::string> environment_of(const Trial& trial, const std::filesystem::path& out);

/// The sources that the program reads from its environment: those of `env_seeds`; with `env_seed`, seed and data-order.
[[nodiscard]] std::vector<std::string> environment_sources(const Values& values);

}  // namespace retrial::workloads::command::inline line
