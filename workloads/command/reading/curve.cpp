#include "workloads/command/reading/curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "workloads/command/reading/plain_text.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

constexpr std::size_t max_curve_points = 100'000;

[[noreturn]] void refuse(std::size_t line, const std::string& problem) {
  throw TrialFailure("command.bad_curve", "line " + std::to_string(line) + ": " + problem);
}

std::string too_many(const std::string& name) {
  return "\"" + name + "\" has more than " + std::to_string(max_curve_points) + " values: print it less often";
}

std::int64_t step_of(const JsonValue& value, const std::string& name) {
  constexpr double largest = 1e15;  // every whole number up to here is a double
  if (!value.step || *value.step < 0 || *value.step > largest || std::floor(*value.step) != *value.step)
    refuse(value.line, "the step of \"" + name + "\" is not a whole number from 0");
  return static_cast<std::int64_t>(*value.step);
}

}  // namespace

std::vector<Point> curve_in(std::string_view output, const Read& read) {
  const auto text = settled(output);
  std::vector<Point> points;
  for (const auto& match : matches_of(text, read)) {
    const bool number = match.value.kind == PrintedValue::Kind::number;
    if (!number || points.size() == max_curve_points)
      refuse(line_at(text, match.at).number, number ? too_many(read.name) : problem_of(match, read, text));
    points.push_back({static_cast<std::int64_t>(points.size()) + 1, match.value.value});
  }
  return points;
}

std::vector<Point> curve_of(const std::vector<JsonValue>& values, const std::string& name, bool numbered) {
  const bool counted = numbered && std::ranges::none_of(values, &JsonValue::has_step);
  std::vector<Point> points;
  std::map<std::int64_t, std::size_t> lines;
  for (const auto& value : values) {
    if (!counted && !value.has_step) continue;
    if (!value.number) refuse(value.line, "\"" + name + "\" is not a number");
    const auto step = counted ? static_cast<std::int64_t>(points.size()) + 1 : step_of(value, name);
    const auto [first, added] = lines.emplace(step, value.line);
    if (!added)
      refuse(value.line, "\"" + name + "\" has a second value at step " + std::to_string(step) +
                             "; the first is in line " + std::to_string(first->second));
    if (points.size() == max_curve_points) refuse(value.line, too_many(name));
    points.push_back({step, *value.number});
  }
  return points;
}

}  // namespace retrial::workloads::command::inline reading
