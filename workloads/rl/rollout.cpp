#include <algorithm>
#include <array>
#include <cstdio>

#include "results/text/error.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/interface/formula.hpp"
#include "workloads/rl/env/self_test.hpp"
#include "workloads/rl/policies/reference.hpp"

namespace retrial::rl {
namespace {

using workloads::FormulaArguments, workloads::Range, workloads::Shape;
using namespace std::string_literals;

constexpr double most_steps = 1e5;

std::string hexadecimal(double value) {
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.13a", value);
  return {text.data(), static_cast<std::size_t>(size)};
}

Json hexadecimal(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(hexadecimal(value));
  return list;
}

/// One episode from a reset seed, by given actions or by a policy written by hand.
Json rollout(const FormulaArguments& given) {
  if (const std::string problem = rlenv::self_test(); !problem.empty())
    throw Error({.exit = Exit::measurement, .code = "rl.libm", .problem = problem});
  const std::string name = given.text("env");
  const auto actions = given.numbers("actions");
  if (actions.empty() == given.text("policy").empty())
    throw variance::InvalidInput("policy", given.text("policy"), "either a policy or actions");
  const auto environment = rlenv::make(name, {.numpy_promotion = given.integer("numpy_promotion")});
  const auto seed = static_cast<std::uint64_t>(given.integer("seed"));
  const std::optional<ReferencePolicy> policy =
      actions.empty() ? std::optional(reference_policy(name, given.text("policy"))) : std::nullopt;
  std::vector<double> action(environment->description().actions.dimensions());
  if (actions.size() % action.size() != 0)
    throw variance::InvalidInput("actions", std::to_string(actions.size()) + " values",
                                 "a multiple of " + std::to_string(action.size()) + ", those of one step");
  auto steps = static_cast<std::uint64_t>(given.integer("steps"));
  if (const std::uint64_t given_steps = actions.size() / action.size(); !policy)
    steps = steps == 0 ? given_steps : std::min(steps, given_steps);
  if (steps == 0) steps = static_cast<std::uint64_t>(environment->description().limit);
  environment->reset(seed);
  Json states = Json::array({hexadecimal(environment->state())}), rewards = Json::array();
  double sum = 0;
  rlenv::Step last;
  for (std::uint64_t t = 0; t < steps && !last.ends(); ++t) {
    if (policy)
      act_by(*policy, environment->state(), seed, t, 0, action);
    else
      std::copy_n(actions.begin() + static_cast<std::ptrdiff_t>(t * action.size()), action.size(), action.begin());
    last = environment->step(action);
    states.push_back(hexadecimal(environment->state()));
    rewards.push_back(last.reward);
    sum += last.reward;
  }
  return {{"states", states},
          {"rewards", rewards},
          {"return", sum},
          {"steps", environment->elapsed()},
          {"terminated", last.terminated},
          {"truncated", last.truncated}};
}

std::vector<std::string> names_of_environments() {
  std::vector<std::string> names;
  for (const auto& environment : rlenv::environments()) names.push_back(environment.name);
  return names;
}

const workloads::RegisterFormula rollout_row{
    {.name = "rollout",
     .arguments =
         {{.value = {"env", "cartpole"s, "the environment (retrial list environments)", names_of_environments()}},
          {.value = {"seed", std::int64_t{0}, "seed of its reset", Range{0, 9e18}}},
          {.value = {"policy", ""s, "a policy written by hand", {}}, .optional = true},
          {.value = {"actions", 0.0, "actions in its place, a value for each dimension", {}},
           .shape = Shape::list,
           .optional = true},
          {.value = {"steps", std::int64_t{0}, "steps, at most; 0: to the end", Range{0, most_steps}},
           .optional = true},
          {.value = {"numpy_promotion", std::int64_t{2}, "arithmetic of NumPy 1 or 2", Range{1, 2}}, .optional = true}},
     .meaning = "an episode: every state as hexadecimal doubles, in the order of Gymnasium's",
     .example = "env=cartpole seed=42 policy=angle",
     .function = rollout}};

}  // namespace
}  // namespace retrial::rl
