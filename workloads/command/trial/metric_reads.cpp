#include "workloads/command/trial/metric_reads.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "workloads/command/reading/lists.hpp"

namespace retrial::workloads::command::inline trial {

namespace {

using results::Direction;

constexpr const char* forms = "NAME, NAME:higher, NAME:lower, NAME~REGEX";
constexpr const char* curve_option = "--read-curve";

void check_list(const Values& values, const char* key, const char* option, std::vector<Problem>& problems) {
  for (const auto& problem : problems_of(reads_of(text_in(values, key), option)))
    problems.push_back({key, problem, forms});
}

void check_named(const Values& values, std::vector<Problem>& problems) {
  if (costs_alone(values)) return;
  if (!metric_reads(values).empty() || !lines_of(text_in(values, "digest")).empty()) return;
  const bool place = !trimmed(text_in(values, "read_json")).empty();
  problems.push_back(
      {"read",
       place ? "no metric is named: --read-json says where numbers are, --read NAME which to take"
             : "no metric is named: add --read NAME",
       place ? "--read accuracy, --read eval.accuracy" : "--read accuracy, --read 'loss~final loss (\\S+)'"});
}

void check_directions(const Values& values, std::vector<Problem>& problems) {
  const auto all = metric_reads(values);
  for (const auto& metric : all)
    if (metric.final && metric.curve && metric.final->direction != metric.curve->direction &&
        metric.final->direction != Direction::none && metric.curve->direction != Direction::none)
      problems.push_back({"read_curve", "\"" + metric.name + "\" has another direction in read", forms});
  const auto declared = results::direction_from(text_in(values, "direction"));
  if (all.empty() || declared == Direction::none || declared == all.front().direction) return;
  const std::string own(results::name_of(all.front().direction));
  problems.push_back({"direction", "contradicts " + all.front().name + ":" + own, own});
}

}  // namespace

std::vector<MetricRead> metric_reads(const Values& values) {
  std::vector<MetricRead> all;
  for (auto& read : reads_of(text_in(values, "read")))
    all.push_back({.name = read.name, .direction = read.direction, .final = read, .curve = {}});
  for (auto& read : reads_of(text_in(values, "read_curve"), curve_option)) {
    const auto known = std::ranges::find(all, read.name, &MetricRead::name);
    if (known == all.end()) {
      all.push_back({.name = read.name, .direction = read.direction, .final = {}, .curve = read});
      continue;
    }
    if (known->direction == Direction::none) known->direction = read.direction;
    known->curve = read;
  }
  if (!all.empty() && all.front().direction == Direction::none)
    all.front().direction = results::direction_from(text_in(values, "direction"));
  return all;
}

bool finds_benchmarks(const Values& values) {
  return !text_in(values, "read_google_benchmark").empty();
}

bool costs_alone(const Values& values) {
  return flag_in(values, "costs_only") ||
         (finds_benchmarks(values) && metric_reads(values).empty() && lines_of(text_in(values, "digest")).empty());
}

std::vector<Problem> problems_of_reads(const Values& values) {
  std::vector<Problem> problems;
  check_list(values, "read", "--read", problems);
  check_list(values, "read_curve", curve_option, problems);
  if (problems.empty()) check_directions(values, problems);
  if (problems.empty()) check_named(values, problems);
  return problems;
}

}  // namespace retrial::workloads::command::inline trial
