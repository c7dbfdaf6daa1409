#include <algorithm>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/rl/env/kinds.hpp"

namespace retrial::rlenv {
namespace {

struct Row {
  Description description;
  std::unique_ptr<Environment> (*make)(const Description&, const Options&);
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {{"cartpole", "CartPole-v1", 4, {true, 2, 0}, 500, 475}, make_cartpole},
      {{"acrobot", "Acrobot-v1", 6, {true, 3, 0}, 500, -100}, make_acrobot},
      {{"mountaincar", "MountainCar-v0", 2, {true, 3, 0}, 200, -110}, make_mountaincar},
      {{"mountaincar-continuous", "MountainCarContinuous-v0", 2, {false, 1, 1}, 999, 90}, make_mountaincar_continuous},
      {{"pendulum", "Pendulum-v1", 3, {false, 1, 2}, 200, {}}, make_pendulum}};
  return table;
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

std::unique_ptr<Environment> make(const std::string& name, const Options& options) {
  for (const Row& row : rows())
    if (row.description.name == name) return row.make(row.description, options);
  std::vector<std::string> names;
  for (const Row& row : rows()) names.push_back(row.description.name);
  throw variance::InvalidInput("env", name, results::joined(names));
}

}  // namespace retrial::rlenv
