// RUNS trials of ten metrics through the store, for tests/measure/peers: the same that mlflow_runs.py writes through
// MLflow.
//   retrial_store_runs RUNS FOLDER GROUP     GROUP trials to a durable commit; the harness takes 1, and 64 when they
//   are short
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>

#include "results/store/store.hpp"
#include "results/text/text.hpp"
#include "tests/results/store/fixtures.hpp"

namespace {

using namespace retrial;

results::TrialRecord run_of(std::uint32_t number) {
  results::TrialRecord record = results::sample_record(number);
  record.defs.clear(), record.metrics.clear(), record.digests.clear(), record.artifacts.clear();
  for (int m = 0; m < 10; ++m) {
    const std::string name(1, static_cast<char>('a' + m));
    record.defs.push_back({.name = name, .unit = "s", .direction = results::Direction::lower});
    record.metrics.push_back({.name = name, .value = 1.0 / (number + 1.0) + m});
  }
  return record;
}

int run(std::int64_t runs, const std::string& folder, std::int64_t group) {
  results::Store store(folder + "/retrial.db", results::Store::Access::write);
  const auto wall = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  for (std::int64_t first = 0; first < runs; first += group) {
    std::vector<results::TrialRecord> records;
    for (std::int64_t i = first; i < std::min(first + group, runs); ++i)
      records.push_back(run_of(static_cast<std::uint32_t>(i)));
    store.append(records, {});
  }
  std::printf("{\"runs\":%lld,\"wall_s\":%.6f,\"cpu_s\":%.6f}\n", static_cast<long long>(runs),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count(),
              static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto number = [&](int place) { return place < argc ? results::parse_int(argv[place]) : std::nullopt; };
  if (argc != 4 || !number(1) || !number(3) || *number(1) < 1 || *number(3) < 1) {
    std::fprintf(stderr, "usage: retrial_store_runs RUNS FOLDER GROUP\n");
    return 2;
  }
  return run(*number(1), argv[2], *number(3));
} catch (const std::exception& error) {
  std::fprintf(stderr, "retrial_store_runs: %s\n", error.what());
  return 5;
}
