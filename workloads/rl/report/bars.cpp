#include "workloads/rl/report/bars.hpp"

#include <map>

namespace retrial::rl {
namespace {

/// benchmark.md of rl-baselines3-zoo (DLR-RM, April 2026).
const std::map<std::string, std::map<std::string, double>> returns{
    {"cartpole", {{"ppo", 500.0}, {"a2c", 500.0}, {"dqn", 500.0}}},
    {"acrobot", {{"ppo", -73.5}, {"a2c", -83.4}, {"dqn", -76.6}}},
    {"mountaincar", {{"ppo", -110.4}, {"a2c", -111.3}, {"dqn", -100.8}}},
    {"pendulum", {{"ddpg", -152.1}, {"td3", -151.9}, {"sac", -157.0}}}};

/// Means of random actions over 200,000 episodes (acrobot: 5,000) of these environments.
const std::map<std::string, double> random_returns{
    {"cartpole", 22.21}, {"acrobot", -498.8}, {"mountaincar", -200.0}, {"pendulum", -1228.4}};

}  // namespace

std::optional<double> published_return(const std::string& algorithm, const std::string& environment) {
  const auto cell = returns.find(environment);
  if (cell == returns.end() || !cell->second.contains(algorithm)) return std::nullopt;
  return cell->second.at(algorithm);
}

std::optional<double> bar_of(const std::string& algorithm, const std::string& environment) {
  const auto published = published_return(algorithm, environment);
  if (!published) return std::nullopt;
  return *published - .1 * (*published - random_returns.at(environment));
}

}  // namespace retrial::rl
