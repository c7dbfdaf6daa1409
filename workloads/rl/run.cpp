#include "results/report/drawing/numbers.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/rl/agents/training.hpp"
#include "workloads/rl/env/self_test.hpp"
#include "workloads/rl/keys.hpp"
#include "workloads/rl/policies/evaluation.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial, workloads::TrialFailure;

StartTraining& registered_training() {
  static StartTraining start = nullptr;
  return start;
}

/// The evaluation of a policy written by hand: one boundary, which nothing precedes.
class PolicyRun final : public workloads::Run {
 public:
  explicit PolicyRun(Trial trial) : trial_(std::move(trial)) {}

  bool advance(Recorder& recorder) override {
    const std::string& environment = trial_.text("env");
    const ReferencePolicy policy = reference_policy(environment, trial_.text("policy"));
    const Scores scores =
        evaluated(environment, options_from(trial_.values), static_cast<std::size_t>(trial_.integer("eval_episodes")),
                  acts_by(policy, policy.draws ? trial_.seed("policy") : 0));
    recorder.progress(1);
    recorder.standing("mean return " + report::short_text(scores.mean_return(), 4));
    record(scores, recorder);
    return false;
  }

  void save(std::ostream&) const override {}
  void load(std::istream&) override {}

 private:
  Trial trial_;
};

std::unique_ptr<workloads::Run> start(const Trial& trial, const Place& place) {
  if (const std::string problem = rlenv::self_test(); !problem.empty()) throw TrialFailure("rl.libm", problem);
  if (is_reference(trial.values)) return std::make_unique<PolicyRun>(trial);
  if (registered_training() == nullptr)
    throw TrialFailure("workload.not_built", "this program was built without LibTorch, which trains");
  return registered_training()(trial, place);
}

const workloads::RegisterStart started{workload_name, start};

}  // namespace

RegisterTraining::RegisterTraining(StartTraining start) {
  registered_training() = start;
}

}  // namespace retrial::rl
