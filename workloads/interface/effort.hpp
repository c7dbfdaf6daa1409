#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::workloads::inline interface {

/// What a trial does, for plans: a phase whose result trials share when they agree in `shared_by` and in the seeds of
/// `shared_sources`, and phases of its own. Seconds are of one CPU, and rough.
struct Effort {
  std::string shared_phase;  ///< "parent"
  std::string shared_by;     ///< every key, with its value, that makes the result of the shared phase another one
  std::vector<std::string> shared_sources;
  double shared_seconds = 0;
  std::string own_phase;  ///< "retraining"
  std::int64_t own_count = 0;
  double own_seconds = 0;  ///< of all of them
};
/// Under valid keys, with data sets looked for in `data` where the keys name no folder.
using EffortOf = std::function<Effort(const Values&, const std::filesystem::path& data)>;

}  // namespace retrial::workloads::inline interface
