// Small trials of pruning that the tests of whole runs share.
#pragma once

#include "tests/catch.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/libtorch/run_torch.hpp"

namespace retrial::pruning::fixture {
using std::string_literals::operator""s;
using test::Recorded;

inline Values small_keys(const Values& given = {}) {
  Values keys{{"model", "mlp:16,8"s},
              {"epochs", std::int64_t{2}},
              {"train_count", std::int64_t{200}},
              {"grid", ".6, .3, .1"s},
              {"batch", std::int64_t{32}}};
  for (const auto& [key, value] : given) keys[key] = value;
  return keys;
}

inline workloads::Trial trial_of(const Values& given, const std::map<std::string, std::uint64_t>& pairs = {}) {
  const workloads::Declaration& declaration = workloads::find_workload("pruning", "");
  workloads::Trial trial{.workload = "pruning",
                         .variant = "wt",
                         .values = workloads::resolved(declaration, small_keys(given)),
                         .identity = std::string(64, 'a')};
  REQUIRE(declaration.validate(trial.values).empty());
  for (const std::string& source : declaration.honours(trial.values)) {
    const auto found = pairs.find(source);
    trial.pairs[source] = found == pairs.end() ? 0 : found->second;
    trial.seeds[source] = variance::source_seed(20210403, source, trial.pairs[source]);
  }
  return trial;
}

inline std::unique_ptr<workloads::Run> start(const workloads::Trial& trial, const workloads::Place& place = {}) {
  at::set_num_threads(1);
  return workloads::find_start("pruning")(trial, place);
}

inline Recorded run(const Values& given, const std::map<std::string, std::uint64_t>& pairs = {},
                    const workloads::Place& place = {}) {
  Recorded recorded;
  const auto one = start(trial_of(given, pairs), place);
  while (one->advance(recorded)) {
  }
  return recorded;
}

/// Runs with a save and a load into a fresh run at every boundary.
inline Recorded run_in_pieces(const Values& given) {
  const workloads::Trial trial = trial_of(given);
  Recorded recorded;
  std::string state;
  for (bool more = true; more;) {
    const auto one = start(trial);
    if (!state.empty()) {
      std::istringstream from(state);
      one->load(from);
    }
    more = one->advance(recorded);
    std::ostringstream to;
    one->save(to);
    state = to.str();
  }
  return recorded;
}

/// Metrics that must reproduce, as bits.
inline std::map<std::string, std::string> outcomes(const Recorded& recorded) {
  std::map<std::string, std::string> found;
  for (const auto& [key, value] : recorded.metrics)
    if (key.first != "seconds" && !key.first.starts_with("latency"))
      found[key.first + std::to_string(key.second)] = results::hex_of_bits(value);
  return found;
}

inline void check_repeats(const Recorded& a, const Recorded& b) {
  CHECK(a.digests == b.digests);
  CHECK(outcomes(a) == outcomes(b));
  CHECK(a.artifacts == b.artifacts);
}

inline double at_step(const Recorded& recorded, const std::string& name, std::int64_t step) {
  return recorded.metrics.at({name, step});
}

}  // namespace retrial::pruning::fixture
