#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::results::inline exchange {

/// One repetition of a benchmark, as a program of Google Benchmark writes it.
struct BenchmarkRun {
  std::string name;
  std::int64_t repetition = 0;  ///< counted in the order of the file
  bool failed = false;          ///< the benchmark reported an error, and has no times
  double real_ns = 0, cpu_ns = 0;
};

/// A field that is not as Google Benchmark writes it.
struct BadBenchmarkField : std::runtime_error {
  BadBenchmarkField(std::string where, Json found, const std::string& problem)
      : std::runtime_error(problem), place(std::move(where)), value(std::move(found)) {}
  std::string place;  ///< "benchmarks[3].time_unit"
  Json value;
};

/// The rows of run_type "iteration" of the list "benchmarks" (before version 1.5 there was no run_type); aggregates are
/// left out. Times are converted from the unit of each row. BadBenchmarkField for a document without that list, too.
[[nodiscard]] std::vector<BenchmarkRun> google_benchmark_runs(const Json& document);

}  // namespace retrial::results::inline exchange
