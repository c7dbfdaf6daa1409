#pragma once

#include <string>
#include <vector>

#include "harness/study/file/study_file.hpp"

/// Google Benchmark programs as suites: each of their benchmarks in processes of its own.
namespace retrial::harness::inline gate::inline measured {

struct EachBenchmark {
  std::vector<SuiteFile::Bench> benches;                   ///< those that every program has
  std::vector<std::pair<std::string, std::string>> alone;  ///< benchmark, and the only program that has it
};

/// Asks every program of the draft for its benchmarks, and adds the filter of one to each command. Error{measurement}
/// for a program that cannot list them, Error{incomparable} where the programs have none in common.
[[nodiscard]] EachBenchmark each_benchmark(const StudyDraft& draft);

/// A regular expression that this name alone fits, for POSIX and ECMAScript alike.
[[nodiscard]] std::string exact_filter(const std::string& name);

}  // namespace retrial::harness::inline gate::inline measured
