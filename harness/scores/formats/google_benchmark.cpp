#include <set>

#include "harness/scores/formats/json_file.hpp"
#include "results/json/json.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

/// True if 1.7 reports "error_occurred" or 1.9 "skipped".
bool failed(const Json& row) {
  for (const char* key : {"error_occurred", "skipped"})
    if (const auto found = row.find(key); found != row.end() && found->is_boolean() && found->get<bool>()) return true;
  return false;
}

/// Each benchmark may have its own unit.
double nanoseconds(const ScoreInput& input, const Json& row, const std::string& place) {
  const std::string unit = text_field(input, row, place, "time_unit");
  for (const auto& [name, factor] : {std::pair{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}})
    if (unit == name) return factor;
  refuse_json(input, place + ".time_unit", unit, "not ns, us, ms or s");
}

}  // namespace

/// Reads rows of run_type "iteration" (before 1.5 there was no run_type); aggregates are computed here instead.
/// Repetitions in one process share its memory layout, its cache state and its neighbors, so the file is their cluster,
/// and one cluster is one observation.
void read_google_benchmark(const ScoreInput& input, ScoreTable& table) {
  const Json document = json_of_file(input, "benchmarks");
  const std::string variant = input.variant.value_or(input.path.stem().string());
  const std::string process = input.path.filename().string() + "#" + std::to_string(input.number);
  if (const auto context = document.find("context"); context != document.end() && context->is_object()) {
    note_start(table, process, context->value("date", Json()));
    for (const char* key : {"host_name", "num_cpus", "library_build_type"}) note_machine(table, variant, *context, key);
  }
  std::set<std::string> failures;
  std::size_t i = 0;
  for (const Json& row : document.at("benchmarks")) {
    const std::string place = "benchmarks[" + std::to_string(i++) + "]";
    if (!row.is_object()) refuse_json(input, place, row, "not an object");
    if (row.contains("run_type") && row.at("run_type") != "iteration") continue;
    const std::string name = text_field(input, row, place, row.contains("run_name") ? "run_name" : "name");
    const bool broken = failed(row);
    if (broken) failures.insert(name);
    for (const char* metric : {"real_time", "cpu_time"}) {
      table.metrics[metric] = {variance::Direction::lower, "ns"};
      const auto time = [&] { return nanoseconds(input, row, place) * number_field(input, row, place, metric); };
      table.add({.variant = table.called(variant),
                 .cluster = table.called(process),
                 .task = table.called(name),
                 .metric = table.called(metric),
                 .score = broken ? std::nullopt : std::optional(time())});
    }
  }
  for (const std::string& name : failures)
    table.notes.push_back(input.path.string() + ": benchmark " + name + " reported an error, so it has no time");
}

}  // namespace retrial::harness::inline scores::inline formats
