#include "results/exchange/google_benchmark.hpp"

#include <map>
#include <utility>

namespace retrial::results::inline exchange {
namespace {

/// A row of the list, and where it is.
struct Row {
  const Json& json;
  std::string place;

  [[nodiscard]] const Json& field(const char* key) const {
    static const Json none;
    const auto found = json.find(key);
    return found == json.end() ? none : *found;
  }
  [[noreturn]] void refuse(const char* key, const std::string& problem) const {
    throw BadBenchmarkField(place + "." + key, field(key), problem);
  }
  [[nodiscard]] std::string text(const char* key) const {
    if (!field(key).is_string()) refuse(key, json.contains(key) ? "not a text" : "is missing");
    return field(key).get<std::string>();
  }
  [[nodiscard]] double number(const char* key) const {
    if (!field(key).is_number()) refuse(key, json.contains(key) ? "not a number" : "is missing");
    return field(key).get<double>();
  }
  /// Each benchmark may have its own unit.
  [[nodiscard]] double nanoseconds() const {
    const std::string unit = text("time_unit");
    for (const auto& [name, factor] : {std::pair{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}})
      if (unit == name) return factor;
    refuse("time_unit", "not ns, us, ms or s");
  }
  /// Version 1.7 reports "error_occurred", 1.9 "skipped".
  [[nodiscard]] bool failed() const {
    for (const char* key : {"error_occurred", "skipped"})
      if (field(key).is_boolean() && field(key).get<bool>()) return true;
    return false;
  }
  [[nodiscard]] bool aggregate() const { return json.contains("run_type") && field("run_type") != "iteration"; }
};

}  // namespace

std::vector<BenchmarkRun> google_benchmark_runs(const Json& document) {
  const Json list = document.is_object() ? document.value("benchmarks", Json()) : Json();
  if (!list.is_array()) throw BadBenchmarkField("benchmarks", list, "no list of this name: not of Google Benchmark");
  std::vector<BenchmarkRun> out;
  std::map<std::string, std::int64_t> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Row row{list[i], "benchmarks[" + std::to_string(i) + "]"};
    if (!row.json.is_object()) throw BadBenchmarkField(row.place, row.json, "not an object");
    if (row.aggregate()) continue;
    BenchmarkRun run{.name = row.text(row.json.contains("run_name") ? "run_name" : "name"), .failed = row.failed()};
    run.repetition = seen[run.name]++;
    if (!run.failed) {
      const double unit = row.nanoseconds();
      run.real_ns = unit * row.number("real_time"), run.cpu_ns = unit * row.number("cpu_time");
    }
    out.push_back(std::move(run));
  }
  return out;
}

}  // namespace retrial::results::inline exchange
