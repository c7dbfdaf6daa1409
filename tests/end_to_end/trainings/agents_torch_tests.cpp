// Every algorithm of reinforcement learning: the same bits again, interrupted at every boundary, and under the
// profiler.
#include <fstream>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::agents_torch_tests {

using Folder = retrial::tests::FullFolder;

namespace {

struct Agent {
  std::string algorithm, environment, keys;
  std::vector<std::string> sources;
};

const std::string buffer = "learning_starts = 100\nbuffer = 700\n";  // the ring comes round
const std::string small = buffer + "hidden = \"16,16\"\ntrain_every = 5\ngradient_steps = 1\n";
const std::vector<std::string> all_sources{"init", "environment", "policy", "data-order"};

const std::vector<Agent> agents{
    {"ppo", "cartpole", "envs = 4\nrollout = 64\nbatch = 32\nepochs = 2\nnormalise = \"obs+reward\"\n", all_sources},
    {"a2c", "cartpole", "", {"init", "environment", "policy"}},
    {"dqn", "cartpole", buffer, all_sources},
    {"ddpg", "pendulum", small, all_sources},
    {"td3", "pendulum", small, all_sources},
    {"sac", "pendulum", small, all_sources}};

void write_study(const Folder& folder, const Agent& agent, int steps) {
  std::ofstream(folder / "agent.toml")
      << "schema = 1\nname = \"agent\"\nworkload = \"rl\"\nseed = 3\npairs = 2\n[set]\nenv = \"" << agent.environment
      << "\"\nsteps = " << steps << "\neval_episodes = 2\n"
      << agent.keys << "[variant.a]\npreset = \"" << agent.algorithm << "\"\n";
}

Json answer(const Folder& folder, const std::vector<std::string>& words) {
  const Ran ran = run_retrial(folder, words);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return Json::parse(ran.out);
}

}  // namespace

TEST_CASE("every algorithm repeats its bits, whole and interrupted at every boundary, and honors each of its seeds",
          "[slow]") {
  for (const Agent& agent : agents) {
    const Folder folder;
    write_study(folder, agent, 2500);  // boundaries after 1,000 steps and 2,000
    const Json found = answer(folder, {"check", "agent.toml", "--repeats", "2", "--seeds", "2", "--json"});
    INFO(agent.algorithm << " " << found.dump());
    CHECK(found.at("reproducible") == true);
    const Json& variant = found.at("variants").at(0);
    CHECK(variant.at("findings").empty());
    CHECK(variant.at("sources") == Json(agent.sources));
    CHECK(variant.at("boundaries").get<std::int64_t>() == 2 * variant.at("interrupted").get<std::int64_t>());
    CHECK(variant.at("interrupted").get<std::size_t>() == 1 + agent.sources.size());
  }
}

TEST_CASE("profiling changes no bit of any algorithm") {
  for (const Agent& agent : agents) {
    const Folder folder;
    write_study(folder, agent, 300);
    const Json found = answer(folder, {"profile", "agent.toml", "--no-calibrate", "--json"});
    INFO(agent.algorithm);
    CHECK(found.at("variants").at(0).at("changed").empty());
    CHECK(found.at("variants").at(0).at("pairs").at(0).at("profile").at("counts").contains("backprop"));
  }
}

}  // namespace retrial::tests::agents_torch_tests
