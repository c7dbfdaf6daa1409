#include "workloads/rl/agents/checks_torch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/trial/deaf_recorder.hpp"
#include "workloads/nn/training/optimizer_torch.hpp"

namespace retrial::rl::inline agents {
namespace {

using workloads::Finding, workloads::ProbeReport, workloads::Trial;

constexpr std::int64_t most_steps = 30'000, enough_updates = 40;

using TensorValues = std::map<std::string, std::vector<float>>;

TensorValues tensors_of(const Learner& learner) {
  TensorValues out;
  for (const auto& [name, tensor] : learner.tensors()) {
    const auto values = nn::floats_of(tensor);
    out[name].assign(values.begin(), values.end());
  }
  return out;
}

std::vector<float> observed(const Learner& learner) {
  const auto now = learner.environments().observations();
  return {now.begin(), now.end()};
}

Trial with_other_seed(Trial trial, const std::string& source) {
  trial.seeds[source] = variance::derive(trial.seed(source), "probe");
  return trial;
}

/// What a source alone, or with those before it, decides: the weights at the beginning, the first observations, and the
/// observations after the first iteration, which come from actions that were drawn.
struct Draws {
  TensorValues init;
  std::vector<float> environment, policy;

  [[nodiscard]] bool same(const std::string& source, const Draws& other) const {
    if (source == "init") return init == other.init;
    return source == "environment" ? environment == other.environment : policy == other.policy;
  }
};

Draws drawn_by(const Trial& trial, const MakeLearner& make) {
  const auto learner = make(trial);
  Draws out{.init = tensors_of(*learner), .environment = observed(*learner)};
  workloads::DeafRecorder unheard;
  learner->iterate(unheard);
  out.policy = observed(*learner);
  return out;
}

void check_streams(const Trial& trial, const MakeLearner& make, ProbeReport& report) {
  const std::map<std::string, std::vector<std::string>> others{{"init", {"environment", "policy", "data-order"}},
                                                               {"environment", {"init", "policy", "data-order"}},
                                                               {"policy", {"data-order"}}};
  const Draws plain = drawn_by(trial, make);
  std::map<std::string, Draws> changed;
  for (const auto& [source, seed] : trial.seeds) changed[source] = drawn_by(with_other_seed(trial, source), make);
  for (const auto& [source, unrelated] : others)
    for (const std::string& other : unrelated)
      if (changed.contains(other) && !plain.same(source, changed.at(other)))
        report.findings.push_back({"stream-shared", "source " + source, "its draws change with the seed of " + other});
  report.looked_at.push_back("draws of " + std::to_string(trial.seeds.size()) + " sources");
}

/// The name of the network that a target follows, for a tensor of a target.
std::string followed(std::string name) {
  using Names = std::pair<const char*, const char*>;
  for (const auto& [target, network] :
       {Names{"critic_target", "critic"}, Names{"policy_target", "policy"}, Names{"target", "q"}})
    if (name.starts_with(target)) return name.replace(0, std::string(target).size(), network);
  return "";
}

/// new = (1 - tau) old + tau network, in float32.
bool moved_by(const std::vector<float>& from, const std::vector<float>& to, const std::vector<float>& network,
              double tau) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    const double expected = (1 - tau) * from[i] + tau * network[i];
    if (std::abs(to[i] - expected) > 1e-6 * (1 + std::abs(expected))) return false;
  }
  return true;
}

class TrainingChecks {
 public:
  TrainingChecks(const Trial& trial, const MakeLearner& make, ProbeReport& report)
      : report_(report), learner_(make(trial)), trial_(trial) {}

  void run() {
    while (!learner_->over() && learner_->steps_done() < most_steps && updates_ < enough_updates) iterate();
    report_.looked_at.push_back(std::to_string(learner_->steps_done()) + " steps, " + std::to_string(cuts_) +
                                " episodes cut by the time limit, " + std::to_string(moves_) + " moves of targets");
    const bool has_targets =
        std::ranges::any_of(tensors_of(*learner_), [](const auto& one) { return !followed(one.first).empty(); });
    if (has_targets && updates_ > 0 && moves_ == 0 && due_)
      report_.findings.push_back({"target-frozen", "targets",
                                  "did not move in " + std::to_string(updates_) + " iterations with a gradient step"});
  }
  [[nodiscard]] const Learner& learner() const { return *learner_; }

 private:
  void iterate() {
    const TensorValues before = tensors_of(*learner_);
    workloads::DeafRecorder unheard;
    learner_->iterate(unheard);
    const TensorValues after = tensors_of(*learner_);
    const bool learned = std::ranges::any_of(
        before, [&](const auto& one) { return followed(one.first).empty() && after.at(one.first) != one.second; });
    updates_ += learned ? 1 : 0;
    check_targets(before, after);
    check_replay();
  }

  void check_targets(const TensorValues& before, const TensorValues& after) {
    const Settings& s = learner_->settings();
    for (const auto& [name, from] : before) {
      const std::string network = followed(name);
      if (network.empty() || !before.contains(network)) continue;
      const auto& to = after.at(name);
      // DQN moves its targets every target_every steps; the others do after gradient steps.
      due_ = due_ || trial_.text("algorithm") != "dqn" || learner_->steps_done() % s.target_every == 0;
      if (to == from) continue;
      ++moves_;
      if (s.gradient_steps == 1 && !moved_by(from, to, before.at(network), s.tau) &&
          !moved_by(from, to, after.at(network), s.tau))
        found("target-frozen", name, "moved otherwise than by tau = " + results::text_of(s.tau) + " of the way");
    }
  }

  /// The newest row, and the rows that the next updates draw.
  void check_replay() {
    const auto* replay = learner_->replay();
    if (replay == nullptr || replay->size() == 0) return;
    const rlenv::Step& step = learner_->environments().steps()[0];
    const auto steps = static_cast<std::size_t>(learner_->steps_done());
    if (step.truncated && !step.terminated && steps == replay->size()) {
      ++cuts_;
      const bool as_end = (*replay)[steps - 1].terminated, wanted = trial_.text("truncation") == "as_done";
      if (as_end != wanted)
        found("truncation-as-termination", "replay buffer", "a cut episode is kept as one that ended");
    }
    for (std::uint64_t update = 0; update < 4; ++update)
      for (const std::size_t row :
           replay->drawn(trial_.seed("data-order"), update, static_cast<std::size_t>(learner_->settings().batch)))
        if (row >= replay->size())
          found("replay-out-of-range", "replay buffer",
                "row " + std::to_string(row) + " is drawn of " + std::to_string(replay->size()));
  }

  /// Each kind of defect is said once.
  void found(const std::string& kind, const std::string& subject, const std::string& compared) {
    if (std::ranges::find(report_.findings, kind, &Finding::kind) == report_.findings.end())
      report_.findings.push_back({kind, subject, compared});
  }

  ProbeReport& report_;
  std::unique_ptr<Learner> learner_;
  const Trial& trial_;
  std::int64_t updates_ = 0, cuts_ = 0, moves_ = 0;
  bool due_ = false;
};

/// Without a replay buffer: rewards learned with and without the value of what follows differ where an episode was cut,
/// and nowhere else.
void check_cut_rewards(const Trial& trial, const MakeLearner& make, ProbeReport& report) {
  Trial bootstrap = trial, as_done = trial;
  bootstrap.values["truncation"] = std::string("bootstrap");
  as_done.values["truncation"] = std::string("as_done");
  const auto one = make(bootstrap), other = make(as_done);
  workloads::DeafRecorder unheard;
  one->iterate(unheard);
  other->iterate(unheard);
  const auto with = one->learned_rewards(), without = other->learned_rewards();
  const auto cuts = one->cut_steps();
  if (with.empty()) return;
  for (std::size_t i = 0; i < with.size(); ++i)
    if ((with[i] != without[i]) != (cuts[i] != 0)) {
      report.findings.push_back({"truncation-as-termination", "step " + std::to_string(i),
                                 cuts[i] != 0 ? "the value of what follows a cut is not learned"
                                              : "a reward changes where no episode was cut"});
      return;
    }
  report.looked_at.push_back(std::to_string(std::ranges::count_if(cuts, [](char cut) { return cut != 0; })) +
                             " cuts in " + std::to_string(cuts.size()) + " steps of a rollout");
}

std::string saved(const Learner& learner) {
  std::ostringstream to;
  learner.save(to);
  return to.str();
}

std::string saved(const rlenv::ObservationNormaliser& normaliser) {
  std::ostringstream to;
  nn::StateWriter writer(to);
  normaliser.save(writer);
  return to.str();
}

void check_evaluation(const Learner& learner, ProbeReport& report) {
  constexpr std::size_t starts = 3;
  const std::string before = saved(learner);
  const std::string moments = learner.normaliser() ? saved(*learner.normaliser()) : "";
  const Scores first = learner.evaluation(starts), second = learner.evaluation(starts);
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  if (!std::ranges::equal(first.returns, second.returns, same) || first.first_actions != second.first_actions)
    report.findings.push_back({"evaluation-draws", "evaluation", "two of one policy from the same starts differ"});
  if (learner.normaliser() && saved(*learner.normaliser()) != moments)
    report.findings.push_back({"normaliser-moves-in-evaluation", "normalizer", "its moments are others afterwards"});
  else if (saved(learner) != before)
    report.findings.push_back({"evaluation-draws", "training", "its state is another one afterwards"});
  report.looked_at.push_back("2 evaluations of " + std::to_string(starts) + " episodes");
}

}  // namespace

ProbeReport examined(const Trial& trial, const MakeLearner& make) {
  ProbeReport report;
  check_streams(trial, make, report);
  TrainingChecks training(trial, make, report);
  training.run();
  check_cut_rewards(trial, make, report);
  check_evaluation(training.learner(), report);
  return report;
}

}  // namespace retrial::rl::inline agents
