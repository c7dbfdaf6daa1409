// Keeps what a run reports, for tests.
#pragma once

#include <bit>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::workloads {

class LogRecorder : public Recorder {
 public:
  void define(const results::MetricDef& metric) override { defined.push_back(metric); }
  void metric(std::string_view name, double value, std::int64_t step) override {
    metrics.push_back({std::string(name), step, value});
  }
  void digest(std::string_view name, std::int64_t step, std::string_view algorithm, std::string_view hex) override {
    digests.push_back({std::string(name), step, std::string(algorithm), std::string(hex)});
  }
  void progress(double fraction) override { done = fraction; }
  void warning(std::string_view text) override { warnings.emplace_back(text); }
  void diverged(std::int64_t step) override { diverged_at = step; }
  void artifact(std::string_view name, std::string_view, std::string_view body) override {
    artifacts.emplace_back(std::string(name), std::string(body));
  }

  [[nodiscard]] double final_value(const std::string& name) const {
    for (const auto& one : metrics)
      if (one.name == name && one.step == -1) return one.value;
    throw std::out_of_range(name);
  }
  [[nodiscard]] bool has(const std::string& name) const {
    for (const auto& one : metrics)
      if (one.name == name) return true;
    return false;
  }

  std::vector<results::MetricDef> defined;
  std::vector<results::MetricValue> metrics;
  std::vector<results::DigestValue> digests;
  std::vector<std::pair<std::string, std::string>> artifacts;
  std::vector<std::string> warnings;
  std::optional<std::int64_t> diverged_at;
  double done = 0;
};

inline bool same_bits(const LogRecorder& a, const LogRecorder& b) {
  if (a.metrics.size() != b.metrics.size() || a.digests != b.digests) return false;
  for (std::size_t i = 0; i < a.metrics.size(); ++i) {
    const auto &x = a.metrics[i], &y = b.metrics[i];
    if (x.name != y.name || x.step != y.step) return false;
    if (std::bit_cast<std::uint64_t>(x.value) != std::bit_cast<std::uint64_t>(y.value)) return false;
  }
  return true;
}

/// A trial of a registered workload; each honoured source gets source_seed(root, name, pair).
inline Trial trial_of(const std::string& workload, const Values& given, std::uint64_t root = 1, std::uint64_t pair = 0,
                      const std::string& variant = "base") {
  const auto& declaration = find_workload(workload, "test");
  Trial trial{.workload = workload, .variant = variant, .values = resolved(declaration, given), .pair = pair};
  for (const auto& source : declaration.honours(trial.values)) {
    trial.seeds[source] = variance::source_seed(root, source, pair);
    trial.pairs[source] = pair;
  }
  return trial;
}

inline LogRecorder run_to_end(const Trial& trial, const Place& place = {}) {
  LogRecorder log;
  const auto run = find_start(trial.workload)(trial, place);
  while (run->advance(log)) {
  }
  return log;
}

}  // namespace retrial::workloads
