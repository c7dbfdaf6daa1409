// Agents on a stand-in for a GPU, whose operators are the CPU's: the CPU's digests and scores.
#include <map>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "tests/workloads/nn/gpu/stand_in_kernels_torch.hpp"

namespace retrial::tests::agents_device_tests {
using std::string_literals::operator""s;

namespace {

workloads::Trial agent_trial(const Values& given) {
  const workloads::Declaration& declaration = workloads::find_workload("rl", "");
  workloads::Trial trial{.workload = "rl",
                         .variant = "agent",
                         .values = workloads::resolved(declaration, given),
                         .identity = std::string(64, 'a')};
  for (const std::string& source : declaration.honours(trial.values)) {
    trial.pairs[source] = 0;
    trial.seeds[source] = variance::source_seed(20210403, source, 0);
  }
  return trial;
}

/// With a save and a load into a fresh run at every boundary, if `in_pieces`.
test::Recorded train_agent(const Values& keys, const at::Device& device, bool in_pieces = false) {
  const workloads::Trial trial = agent_trial(keys);
  test::Recorded recorded;
  auto run = workloads::find_start("rl")(trial, stand_in::place_on(device));
  while (run->advance(recorded)) {
    if (!in_pieces) continue;
    std::stringstream state;
    run->save(state);
    run = workloads::find_start("rl")(trial, stand_in::place_on(device));
    run->load(state);
  }
  return recorded;
}

/// Scores and returns, as bits.
std::map<std::string, std::string> scores_of(const test::Recorded& recorded) {
  auto outcomes = recorded.outcomes();
  std::erase_if(outcomes, [](const auto& one) {
    return one.first.starts_with("region_s") || one.first.starts_with("steps_per_s");
  });
  return outcomes;
}

}  // namespace

TEST_CASE(
    "every agent has the CPU's digests and scores on a device, in pieces too, and with its optimizer on the host") {
  const at::Device device = stand_in::device_with_kernels();
  const std::int64_t steps = 1200;
  for (const auto& [algorithm, environment] : std::vector<std::pair<std::string, std::string>>{{"ppo", "cartpole"},
                                                                                               {"ppo", "pendulum"},
                                                                                               {"a2c", "cartpole"},
                                                                                               {"a2c", "pendulum"},
                                                                                               {"dqn", "cartpole"},
                                                                                               {"ddpg", "pendulum"},
                                                                                               {"td3", "pendulum"},
                                                                                               {"sac", "pendulum"}}) {
    CAPTURE(algorithm, environment);
    Values keys{{"algorithm", algorithm},
                {"env", environment},
                {"steps", steps},
                {"hidden", "16,8"s},
                {"eval_episodes", std::int64_t{3}}};
    if (algorithm == "ppo") keys["rollout"] = std::int64_t{300}, keys["batch"] = std::int64_t{100};
    if (algorithm == "ppo" && environment == "pendulum") keys["normalise"] = "obs+reward"s;
    if (algorithm != "ppo" && algorithm != "a2c")
      keys["batch"] = std::int64_t{32}, keys["train_every"] = std::int64_t{4};
    if (algorithm == "dqn") keys["target_every"] = std::int64_t{100};
    const auto on_cpu = train_agent(keys, at::kCPU), there = train_agent(keys, device);
    CHECK(on_cpu.digests == there.digests);
    CHECK(scores_of(on_cpu) == scores_of(there));
    CHECK(there.digests == train_agent(keys, device, true).digests);
    const std::int64_t before = stand_in::waits();
    (void)train_agent(keys, device);
    const std::int64_t between = stand_in::waits();
    keys["adam_host"] = true;
    CHECK(there.digests == train_agent(keys, device).digests);
    CHECK(stand_in::waits() - between > between - before);
  }
}

}  // namespace retrial::tests::agents_device_tests
