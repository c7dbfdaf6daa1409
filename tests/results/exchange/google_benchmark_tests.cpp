#include "results/exchange/google_benchmark.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::google_benchmark_tests {

using namespace retrial::results;

namespace {

Json row(const char* name, double real, const char* unit = "ns") {
  return {{"name", name},      {"run_name", name},  {"run_type", "iteration"},
          {"time_unit", unit}, {"real_time", real}, {"cpu_time", real / 2}};
}

/// The place of the field that is refused, and the problem.
std::pair<std::string, std::string> refused(const Json& document) {
  try {
    (void)google_benchmark_runs(document);
  } catch (const BadBenchmarkField& bad) {
    return {bad.place, bad.what()};
  }
  return {"nothing", ""};
}

}  // namespace

TEST_CASE("runs of Google Benchmark have nanoseconds, and repetitions by their order") {
  Json mean = row("a_mean", 7);
  mean["run_type"] = "aggregate", mean["run_name"] = "a";
  const auto runs = google_benchmark_runs(
      {{"benchmarks", {row("a", 2, "us"), row("b/8", 3, "ms"), row("a", 4, "us"), mean, row("c", 5, "s")}}});
  REQUIRE(runs.size() == 4);
  CHECK(runs[0].name == "a");
  CHECK(runs[0].real_ns == 2000.0);
  CHECK(runs[0].cpu_ns == 1000.0);
  CHECK(runs[1].name == "b/8");
  CHECK(runs[1].real_ns == 3e6);
  CHECK(runs[2].repetition == 1);
  CHECK(runs[3].repetition == 0);
  CHECK(runs[3].real_ns == 5e9);
}

TEST_CASE("a benchmark that reported an error needs no times, in both spellings") {
  const Json old{{"name", "a"}, {"error_occurred", true}}, later{{"name", "a"}, {"skipped", true}};
  for (const Json& each : {old, later}) CHECK(google_benchmark_runs({{"benchmarks", {each}}}).at(0).failed);
  CHECK_FALSE(google_benchmark_runs({{"benchmarks", {row("a", 1)}}}).at(0).failed);
}

TEST_CASE("a document that is not of Google Benchmark is refused at its place") {
  using Pair = std::pair<std::string, std::string>;
  CHECK(refused(Json::array()).first == "benchmarks");
  CHECK(refused({{"benchmarks", 3}}).first == "benchmarks");
  CHECK(refused({{"benchmarks", {3}}}) == Pair{"benchmarks[0]", "not an object"});
  CHECK(refused({{"benchmarks", {row("a", 1), row("a", 1, "h")}}}) ==
        Pair{"benchmarks[1].time_unit", "not ns, us, ms or s"});
  Json text = row("a", 1);
  text["real_time"] = "1";
  CHECK(refused({{"benchmarks", {text}}}) == Pair{"benchmarks[0].real_time", "not a number"});
  text.erase("real_time");
  CHECK(refused({{"benchmarks", {text}}}) == Pair{"benchmarks[0].real_time", "is missing"});
}

}  // namespace retrial::tests::google_benchmark_tests
