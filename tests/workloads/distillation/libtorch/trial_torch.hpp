// A trial of the workload as the worker starts it, and a recorder that keeps what it says.
#pragma once

#include <ATen/Parallel.h>

#include <cmath>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/distillation/methods/methods.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::test {

struct Recorded : workloads::Recorder {
  std::map<std::pair<std::string, std::int64_t>, std::string> digests;
  std::map<std::pair<std::string, std::int64_t>, double> metrics;
  std::map<std::string, std::string> artifacts;
  std::vector<std::string> warnings;
  std::int64_t diverged_at = -1;
  double fraction = 0;

  void metric(std::string_view name, double value, std::int64_t step) override { add(metrics, name, step, value); }
  void digest(std::string_view name, std::int64_t step, std::string_view, std::string_view hex) override {
    add(digests, name, step, std::string(hex));
  }
  void progress(double value) override { fraction = value; }
  void warning(std::string_view text) override { warnings.emplace_back(text); }
  void diverged(std::int64_t step) override { diverged_at = step; }
  void artifact(std::string_view name, std::string_view, std::string_view body) override {
    artifacts[std::string(name)] = body;
  }

  [[nodiscard]] double final(const std::string& name) const { return metrics.at({name, -1}); }
  [[nodiscard]] const std::string& weights(std::int64_t step = -1) const { return digests.at({"weights", step}); }
  /// Metrics that must reproduce, as bits: everything but seconds and rates.
  [[nodiscard]] std::map<std::string, std::string> outcomes() const {
    std::map<std::string, std::string> result;
    for (const auto& [key, value] : metrics)
      if (!key.first.ends_with("_seconds") && !key.first.ends_with("_rate"))
        result[key.first + std::to_string(key.second)] = results::hex_of_bits(value);
    return result;
  }

 private:
  /// Nothing may be said twice.
  template <typename Values, typename Item>
  static void add(Values& to, std::string_view name, std::int64_t step, Item value) {
    if (!to.emplace(std::pair(std::string(name), step), std::move(value)).second)
      throw std::logic_error(std::string(name) + " was recorded twice at step " + std::to_string(step));
  }
};

/// Small keys: a tiny teacher for 2 epochs, a student for 2 epochs of 150 labels.
inline Values small_keys() {
  return {{"teacher", std::string("mlp:8")},
          {"teacher_epochs", std::int64_t{2}},
          {"epochs", std::int64_t{2}},
          {"train_count", std::int64_t{150}}};
}

/// `pairs`: the pair index of a source, 0 for those not named.
inline workloads::Trial trial_of(const Values& given, const std::map<std::string, std::uint64_t>& pairs = {},
                                 std::uint64_t root = 20210403) {
  const workloads::Declaration& declaration = workloads::find_workload("distillation", "");
  Values keys = small_keys();
  for (const auto& [key, value] : given) keys[key] = value;
  workloads::Trial trial{.workload = "distillation",
                         .variant = "kd",
                         .values = workloads::resolved(declaration, keys),
                         .identity = std::string(64, 'a')};
  for (const std::string& source : declaration.honours(trial.values)) {
    const auto found = pairs.find(source);
    trial.pairs[source] = found == pairs.end() ? 0 : found->second;
    trial.seeds[source] = variance::source_seed(root, source, trial.pairs[source]);
  }
  return trial;
}

/// One thread, as a worker's default mode has it: two that contend for one core make these small steps a hundred times
/// slower.
inline std::unique_ptr<workloads::Run> start(const workloads::Trial& trial, const workloads::Place& place = {}) {
  at::set_num_threads(1);
  return workloads::find_start("distillation")(trial, place);
}

inline Recorded run_trial(const workloads::Trial& trial, const workloads::Place& place = {}) {
  Recorded recorded;
  const auto run = start(trial, place);
  while (run->advance(recorded)) {
  }
  return recorded;
}

inline Recorded run(const Values& given, const std::map<std::string, std::uint64_t>& pairs = {},
                    const workloads::Place& place = {}) {
  return run_trial(trial_of(given, pairs), place);
}

inline void check_equal(const Recorded& a, const Recorded& b) {
  CHECK(a.digests == b.digests);
  CHECK(a.outcomes() == b.outcomes());
}

inline Values joined(Values values, const Values& more) {
  for (const auto& [key, value] : more) values[key] = value;
  return values;
}

/// Networks with maps that every method can compare, two batches of 32 rows, one epoch.
inline Values method_keys(const std::string& method, const Values& more = {}) {
  Values keys{{"method", method},
              {"student", std::string("cnn2")},
              {"teacher", std::string("cnn2")},
              {"assistant", std::string("mlp:9")},
              {"train_count", std::int64_t{64}},
              {"teacher_epochs", std::int64_t{1}},
              {"epochs", std::int64_t{1}},
              {"negatives", std::int64_t{50}}};
  if (distillation::find_method(method).init_epochs > 0) keys["init_epochs"] = std::int64_t{1};
  return joined(keys, more);
}

/// uda needs photographs: it is tried where those are.
inline std::vector<distillation::Method> methods_on_digits() {
  std::vector<distillation::Method> methods = distillation::all_methods();
  std::erase_if(methods, [](const distillation::Method& method) { return method.name == "uda"; });
  return methods;
}

/// Runs with a save and a load into a fresh run at every boundary.
inline Recorded run_in_pieces(const workloads::Trial& trial, const workloads::Place& place = {}) {
  Recorded recorded;
  std::string state;
  for (bool more = true; more;) {
    const auto run = start(trial, place);
    if (!state.empty()) {
      std::istringstream from(state);
      run->load(from);
    }
    more = run->advance(recorded);
    std::ostringstream to;
    run->save(to);
    state = to.str();
  }
  return recorded;
}

}  // namespace retrial::test
