#include <set>

#include "harness/scores/formats/json_file.hpp"
#include "results/exchange/google_benchmark.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

std::vector<results::BenchmarkRun> runs_of(const ScoreInput& input, const Json& document) try {
  return results::google_benchmark_runs(document);
} catch (const results::BadBenchmarkField& bad) {
  refuse_json(input, bad.place, bad.value, bad.what());
}

}  // namespace

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
  for (const auto& run : runs_of(input, document)) {
    if (run.failed) failures.insert(run.name);
    for (const auto& [metric, time] : {std::pair{"real_time", run.real_ns}, {"cpu_time", run.cpu_ns}}) {
      table.metrics[metric] = {variance::Direction::lower, "ns"};
      table.add({.variant = table.called(variant),
                 .cluster = table.called(process),
                 .task = table.called(run.name),
                 .metric = table.called(metric),
                 .score = run.failed ? std::nullopt : std::optional(time)});
    }
  }
  for (const std::string& name : failures)
    table.notes.push_back(input.path.string() + ": benchmark " + name + " reported an error, so it has no time");
}

}  // namespace retrial::harness::inline scores::inline formats
