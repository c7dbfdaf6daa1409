#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/command/reading/reading.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::workloads::command::inline trial {

/// A metric of the user's program: where its final value is read, where its curve, or both.
struct MetricRead {
  std::string name;
  results::Direction direction = results::Direction::none;
  std::optional<Read> final;  ///< absent: the last value of the curve
  std::optional<Read> curve;
};

/// The metrics of `read`, then those of `read_curve` alone. The first one has the key `direction` unless it says its
/// own.
[[nodiscard]] std::vector<MetricRead> metric_reads(const Values& values);

/// Whether the program's own benchmarks become metrics, whose names only a run tells.
[[nodiscard]] bool finds_benchmarks(const Values& values);
/// Whether only costs are judged, so that the program needs no seed.
[[nodiscard]] bool costs_alone(const Values& values);

/// Mistakes in these keys: in each alone, in both together, and with `direction`.
[[nodiscard]] std::vector<Problem> problems_of_reads(const Values& values);

}  // namespace retrial::workloads::command::inline trial
