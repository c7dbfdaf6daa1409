// A look inside trainings: the algorithms as they are have no finding, and each planted defect is found.
#include "workloads/rl/agents/checks_torch.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::checks_torch_tests {

using namespace retrial;
using rl::Learner;
using workloads::Trial;

namespace {

Trial trial_of(const std::string& algorithm, const std::string& environment, Values keys = {}) {
  const auto& declaration = workloads::find_workload("rl", "");
  keys["algorithm"] = algorithm;
  keys["env"] = environment;
  Trial trial{.workload = "rl", .variant = algorithm, .values = workloads::resolved(declaration, keys)};
  std::uint64_t seed = 11;
  for (const auto& source : declaration.honours(trial.values)) trial.seeds[source] = seed++;
  return trial;
}

rl::MakeLearner plain() {
  return [](const Trial& trial) { return rl::learner_of(trial, {}); };
}

std::vector<std::string> kinds(const workloads::ProbeReport& report) {
  std::vector<std::string> out;
  for (const auto& finding : report.findings) out.push_back(finding.kind);
  std::ranges::sort(out);
  return out;
}

const Values small{{"hidden", std::string("16")}, {"learning_starts", std::int64_t{220}}, {"batch", std::int64_t{16}}};

}  // namespace

TEST_CASE("no algorithm has a finding") {
  const auto demand = [](const std::string& algorithm, const std::string& environment, Values keys) {
    const auto report = rl::examined(trial_of(algorithm, environment, std::move(keys)), plain());
    INFO(algorithm);
    for (const auto& finding : report.findings) UNSCOPED_INFO(finding.kind << ": " << finding.compared);
    CHECK(report.findings.empty());
    CHECK(report.looked_at.size() >= 3);
  };
  for (const char* algorithm : {"ddpg", "td3", "sac"}) demand(algorithm, "pendulum", small);
  demand("dqn", "cartpole", {{"learning_starts", std::int64_t{100}}, {"target_every", std::int64_t{40}}});
  demand("ppo", "pendulum", {{"rollout", std::int64_t{256}}, {"epochs", std::int64_t{1}}});
  demand("a2c", "pendulum", {{"rollout", std::int64_t{256}}});
}

TEST_CASE("one stream for two sources is found") {
  const auto shared = [](Trial trial) {
    trial.seeds["environment"] = trial.seed("init");
    return rl::learner_of(trial, {});
  };
  CHECK(kinds(rl::examined(trial_of("sac", "pendulum", small), shared)) == std::vector<std::string>{"stream-shared"});
}

TEST_CASE("a cut that is learned as an end is found, in a rollout and in a replay buffer") {
  const auto as_end = [](Trial trial) {
    trial.values["truncation"] = std::string("as_done");
    return rl::learner_of(trial, {});
  };
  const std::vector<std::string> expected{"truncation-as-termination"};
  CHECK(kinds(rl::examined(trial_of("ppo", "pendulum", {{"rollout", std::int64_t{256}}, {"epochs", std::int64_t{1}}}),
                           as_end)) == expected);
  CHECK(kinds(rl::examined(trial_of("td3", "pendulum", small), as_end)) == expected);
}

TEST_CASE("targets that move by another part of the way are found") {
  const Trial trial = trial_of("ddpg", "pendulum", small);
  class Slower final : public Learner {
   public:
    Slower(const Trial& trial, std::unique_ptr<Learner> inner) : Learner(trial, {}), inner_(std::move(inner)) {}
    void iterate(workloads::Recorder& recorder) override { inner_->iterate(recorder); }
    void best_actions(const at::Tensor& observations, std::span<double> actions) const override {
      inner_->best_actions(observations, actions);
    }
    [[nodiscard]] nn::NamedTensors tensors() const override { return inner_->tensors(); }

   protected:
    void save_more(nn::StateWriter&) const override {}
    void load_more(nn::StateReader&) override {}

   private:
    std::unique_ptr<Learner> inner_;
  };
  const auto slower = [](const Trial& plain_trial) -> std::unique_ptr<Learner> {
    Trial other = plain_trial;
    other.values["tau"] = 0.5;
    return std::make_unique<Slower>(plain_trial, rl::learner_of(other, {}));
  };
  const auto found = kinds(rl::examined(trial, slower));
  CHECK(std::ranges::find(found, "target-frozen") != found.end());
}

}  // namespace retrial::tests::checks_torch_tests
