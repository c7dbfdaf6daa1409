#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/value.hpp"

namespace retrial::workloads {

/// What a trial does, for plans: something that is trained first, which trials share that have the same text and the
/// same seeds of these sources, and what is its own. Seconds are of one CPU, and rough.
struct Effort {
  std::string first, first_is;  ///< "parent"; everything besides seeds by which one differs from another
  std::vector<std::string> first_sources;
  double first_seconds = 0;
  std::string then;  ///< "retraining"
  std::int64_t then_count = 0;
  double then_seconds = 0;
};
using EffortOf = std::function<Effort(const Values&, const std::filesystem::path& data)>;

/// A constant of this type in a workload says how its trials are planned; a workload without one says nothing. Of two
/// for one workload the first stays.
struct RegisterEffort {
  RegisterEffort(const std::string& workload, EffortOf effort);
};
/// Under valid keys, with data sets looked for in `data` where the keys name no folder; nothing of a workload that says
/// nothing.
[[nodiscard]] std::optional<Effort> effort_of(const std::string& workload, const Values& values,
                                              const std::filesystem::path& data);

}  // namespace retrial::workloads
