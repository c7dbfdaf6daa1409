#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::workloads::inline interface {

/// Cost of a trial, for plans: a phase whose result is shared by trials that agree in `shared_by` and in the seeds of
/// `shared_sources`, and phases of its own. Rough seconds of one CPU.
struct Effort {
  std::string shared_phase;  ///< "parent"; empty: trials share nothing
  std::string shared_by;     ///< every key, with its value, that the result of the shared phase depends on
  std::vector<std::string> shared_sources;
  double shared_seconds = 0;
  std::string own_phase;  ///< "retraining"
  std::int64_t own_count = 0;
  double own_seconds = 0;  ///< total of all of them
  bool counted = true;     ///< false: the work of a network that is known to its file alone
};
/// For valid keys; data sets are in `data` if the keys name no folder.
using EffortOf = std::function<Effort(const Values&, const std::filesystem::path& data)>;

}  // namespace retrial::workloads::inline interface
