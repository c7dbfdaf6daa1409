#include "workloads/rl/policies/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "results/digest/sha256.hpp"
#include "variance/bootstrap/aggregate.hpp"
#include "workloads/profiler/recording/annotation.hpp"

namespace retrial::rl::inline policies {
namespace {

double mean_in_order(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string digest_of(const std::vector<double>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return results::hex(results::sha256(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size())));
}

rlenv::Step stepped(rlenv::Environment& environment, std::span<const double> action) {
  const profiler::Layer simulator(profiler::Category::simulator);
  return environment.step(action);
}

}  // namespace

double Scores::mean_return() const {
  return mean_in_order(returns);
}

Scores evaluated(const std::string& environment, const rlenv::Options& options, std::size_t starts, const Act& act) {
  RETRIAL_OPERATION("evaluate");
  std::vector<std::unique_ptr<rlenv::Environment>> environments;
  for (std::size_t i = 0; i < starts; ++i) {
    environments.push_back(rlenv::make(environment, options));
    environments.back()->reset(i);
  }
  const std::size_t dimensions = environments.front()->description().actions.dimensions();
  Scores scores{.returns = std::vector<double>(starts), .lengths = std::vector<double>(starts), .first_actions = {}};
  std::vector<double> actions(starts * dimensions);
  std::vector<bool> over(starts);
  for (std::uint64_t t = 0; std::ranges::find(over, false) != over.end(); ++t) {
    act(environments, t, actions);
    for (std::size_t i = 0; i < starts; ++i) {
      if (over[i]) continue;
      const auto action = std::span(actions).subspan(i * dimensions, dimensions);
      if (i == 0) scores.first_actions.insert(scores.first_actions.end(), action.begin(), action.end());
      if (!std::ranges::all_of(action, [](double value) { return std::isfinite(value); })) {
        scores.returns[i] = std::numeric_limits<double>::quiet_NaN();
        over[i] = true;
        continue;
      }
      const rlenv::Step step = stepped(*environments[i], action);
      scores.returns[i] += step.reward;
      scores.lengths[i] += 1;
      over[i] = step.ends();
    }
  }
  return scores;
}

Act acts_by(const ReferencePolicy& policy, std::uint64_t seed) {
  return [policy, seed](Environments environments, std::uint64_t t, std::span<double> actions) {
    const std::size_t dimensions = actions.size() / environments.size();
    for (std::size_t i = 0; i < environments.size(); ++i)
      act_by(policy, environments[i]->state(), seed, t, i, actions.subspan(i * dimensions, dimensions));
  };
}

void record(const Scores& scores, workloads::Recorder& recorder) {
  const bool finite = std::ranges::none_of(scores.returns, [](double value) { return std::isnan(value); });
  const double missing = std::numeric_limits<double>::quiet_NaN();
  recorder.metric("return", scores.mean_return());
  recorder.metric("return_iqm", finite ? variance::iqm({.tasks = {scores.returns}}).value : missing);
  recorder.metric("return_worst", finite ? *std::ranges::min_element(scores.returns) : missing);
  recorder.metric("episode_length", mean_in_order(scores.lengths));
  recorder.digest("returns", -1, "sha256", digest_of(scores.returns));
  recorder.digest("actions", -1, "sha256", digest_of(scores.first_actions));
}

}  // namespace retrial::rl::inline policies
