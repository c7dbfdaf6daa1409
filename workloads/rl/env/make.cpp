#include <algorithm>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/rl/env/kinds.hpp"

namespace retrial::rlenv {
namespace {

struct Row {
  Description description;
  std::unique_ptr<Environment> (*make)(const Description&, const Options&);
  std::string (*absent)(const std::string& name) = nullptr;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {{"cartpole", "CartPole-v1", 4, {true, 2, 0}, 500, 475}, make_cartpole},
      {{"acrobot", "Acrobot-v1", 6, {true, 3, 0}, 500, -100}, make_acrobot},
      {{"mountaincar", "MountainCar-v0", 2, {true, 3, 0}, 200, -110}, make_mountaincar},
      {{"mountaincar-continuous", "MountainCarContinuous-v0", 2, {false, 1, 1}, 999, 90}, make_mountaincar_continuous},
      {{"pendulum", "Pendulum-v1", 3, {false, 1, 2}, 200, {}}, make_pendulum},
      {{"hopper", "Hopper-v4", 11, {false, 3, 1}, 1000, 3800, "MuJoCo", 7e-5}, make_mujoco, absent_mujoco},
      {{"walker2d", "Walker2d-v4", 17, {false, 6, 1}, 1000, {}, "MuJoCo", 7e-5}, make_mujoco, absent_mujoco},
      {{"halfcheetah", "HalfCheetah-v4", 17, {false, 6, 1}, 1000, 4800, "MuJoCo", 7e-5}, make_mujoco, absent_mujoco}};
  return table;
}

std::string absent(const Row& row) {
  return row.absent == nullptr ? "" : row.absent(row.description.name);
}

}  // namespace

const std::vector<Description>& environments() {
  static const std::vector<Description> found = [] {
    std::vector<Description> descriptions;
    for (const Row& row : rows()) descriptions.push_back(row.description);
    return descriptions;
  }();
  return found;
}

const Description* environment_if_known(const std::string& name) {
  const auto found = std::ranges::find(environments(), name, &Description::name);
  return found == environments().end() ? nullptr : &*found;
}

std::string absent_environment(const std::string& name) {
  const auto found = std::ranges::find(rows(), name, [](const Row& row) { return row.description.name; });
  return found == rows().end() ? "" : absent(*found);
}

std::vector<std::string> present_environments() {
  std::vector<std::string> names;
  for (const Row& row : rows())
    if (absent(row).empty()) names.push_back(row.description.name);
  return names;
}

std::unique_ptr<Environment> make(const std::string& name, const Options& options) {
  for (const Row& row : rows()) {
    if (row.description.name != name) continue;
    if (const std::string reason = absent(row); !reason.empty())
      throw variance::InvalidInput("env", name + " (" + reason + ")", results::joined(present_environments()));
    return row.make(row.description, options);
  }
  throw variance::InvalidInput("env", name, results::joined(present_environments()));
}

}  // namespace retrial::rlenv
