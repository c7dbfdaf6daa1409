#include "results/report/drawing/numbers.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/nn/protocol/failures.hpp"
#include "workloads/rl/agents/training.hpp"
#include "workloads/rl/env/self_test.hpp"
#include "workloads/rl/keys.hpp"
#include "workloads/rl/policies/evaluation.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial, workloads::TrialFailure;

struct Registered {
  StartTraining start = nullptr;
  ExamineTraining examine = nullptr;
};
Registered& registered() {
  static Registered training;
  return training;
}

/// Only a build with LibTorch trains.
const Registered& training() {
  if (registered().start == nullptr)
    throw TrialFailure("workload.not_built", "this program was built without LibTorch, which trains");
  return registered();
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
  return training().start(trial, place);
}

/// A policy written by hand has no inside.
workloads::ProbeReport probe(const Trial& trial, const Place& place) {
  return is_reference(trial.values) ? workloads::ProbeReport{} : training().examine(trial, place);
}

const workloads::RegisterStart started{workload_name, start, nn::explain_libtorch};
const workloads::RegisterProbe probed{workload_name, probe};

}  // namespace

RegisterTraining::RegisterTraining(StartTraining start, ExamineTraining examine) {
  registered() = {start, examine};
}

}  // namespace retrial::rl
