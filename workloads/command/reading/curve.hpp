#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/command/reading/json_values.hpp"
#include "workloads/command/reading/reading.hpp"

namespace retrial::workloads::command::inline reading {

/// A point of a learning curve.
struct Point {
  std::int64_t step = 0;
  double value = 0;
};

/// The curve in an output of which nothing was dropped: every match is a step, from 1. Throws
/// TrialFailure("command.bad_curve"), with the line, for a match that is not one number, and beyond 100,000 points.
[[nodiscard]] std::vector<Point> curve_in(std::string_view output, const Read& read);

/// The values that have a step, in order; with `numbered` and no step in any of them, all of them, from 1. Throws
/// TrialFailure("command.bad_curve"), with the line, for a value that is no number, a step that is no whole number from
/// 0, or one that occurs twice.
[[nodiscard]] std::vector<Point> curve_of(const std::vector<JsonValue>& values, const std::string& name, bool numbered);

}  // namespace retrial::workloads::command::inline reading
