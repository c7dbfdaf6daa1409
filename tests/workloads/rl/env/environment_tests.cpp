// Trajectories of Gymnasium (NumPy with the mathematical library's functions) as hexadecimal doubles, and the rules
// that every environment keeps.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/rl/env/environment.hpp"
#include "workloads/rl/env/self_test.hpp"

namespace retrial::rl_environment_tests {

using namespace retrial::rlenv;

using States = std::map<std::int64_t, std::vector<double>>;

struct Episode {
  States states;
  Step last;
  double sum = 0, first_reward = 0;
};

template <typename Action>
Episode episode(const std::string& name, std::uint64_t seed, std::int64_t steps, Action action,
                const Options& options = {}) {
  const auto environment = make(name, options);
  environment->reset(seed);
  Episode made;
  const auto keep = [&] {
    made.states[environment->elapsed()] = {environment->state().begin(), environment->state().end()};
  };
  keep();
  for (std::int64_t t = 0; t < steps; ++t) {
    made.last = environment->step(action(t, environment->state()));
    if (t == 0) made.first_reward = made.last.reward;
    made.sum += made.last.reward;
    keep();
    if (made.last.ends()) break;
  }
  return made;
}

void require_states(const Episode& found, const States& known) {
  for (const auto& [t, state] : known) {
    INFO("step " << t);
    CHECK(found.states.at(t) == state);
  }
}

using State = std::span<const double>;

std::int64_t q(std::int64_t n, std::int64_t t) {
  return (7 * t + t / 5) % n;
}

TEST_CASE("CartPole") {
  const Episode turns = episode("cartpole", 42, 500, [](auto t, State) { return t % 2 == 0 ? 1.0 : 0.0; });
  require_states(turns,
                 {{0, {0x1.c0d97eba2bd40p-6, -0x1.9090f63c0b010p-8, 0x1.25c36f3afc536p-5, 0x1.435e26c08cd04p-6}},
                  {1, {0x1.bed8c52d122c5p-6, 0x1.8200942272176p-3, 0x1.28ff4189b60dcp-5, -0x1.0bb19f21fa80cp-2}},
                  {10, {0x1.72ef378297071p-5, -0x1.4d71f32502f80p-7, 0x1.3ef2b01c8290dp-6, 0x1.c00e3be680b74p-4}},
                  {50, {0x1.bf5b94d6dde9ep-4, -0x1.1306db0a3a574p-5, 0x1.f306943d7ce3ep-4, 0x1.426c112da2906p-1}},
                  {57, {0x1.d8b1977e0697ep-4, 0x1.2b9e6fbb97966p-3, 0x1.b03290f03615ep-3, 0x1.5dee8bd2a1c5cp-1}}});
  CHECK(turns.last.terminated);
  CHECK(turns.states.rbegin()->first == 57);
  CHECK(turns.sum == 57);
  const Episode right = episode("cartpole", 42, 500, [](auto, State) { return 1.0; });
  require_states(right,
                 {{10, {0x1.9cddfd4775481p-3, 0x1.f2487b6dec108p+0, -0x1.c344a6fe35de6p-3, -0x1.7ed2c901b8355p+1}}});
  CHECK(right.last.terminated);
  CHECK(right.states.rbegin()->first == 10);
  const Episode pattern = episode("cartpole", 7, 500, [](auto t, State) { return static_cast<double>(q(2, t)); });
  require_states(pattern,
                 {{0, {0x1.99e9aee5b1dd0p-7, 0x1.4565c58efd47cp-5, 0x1.c3aef596e6accp-6, -0x1.c238754ddd58dp-6}},
                  {1, {0x1.b3f1d32e92ed0p-7, -0x1.3f0c21393ea0ap-3, 0x1.baadd485fbd91p-6, 0x1.1857e37789042p-2}},
                  {5, {0x1.19a26673152b9p-7, -0x1.42d466661b554p-3, 0x1.3a192c8f803f5p-5, 0x1.422e2dc3c2ccap-2}},
                  {17, {-0x1.5ccb721107beep-4, -0x1.20c63346ff2c1p-1, 0x1.cdd400c8aff16p-3, 0x1.48ec4c6adaec3p+0}}});
  CHECK(pattern.last.terminated);
  CHECK(pattern.sum == 17);
}

TEST_CASE("Acrobot") {
  const Episode found = episode("acrobot", 42, 10, [](auto t, State) { return t / 5 % 2 == 0 ? 0.0 : 2.0; });
  require_states(found,
                 {{0, {0x1.c0d97e0000000p-5, -0x1.9090f60000000p-7, 0x1.25c3700000000p-4, 0x1.435e260000000p-5}},
                  {1, {0x1.331fc665f378cp-4, -0x1.0750cdafafbccp-5, 0x1.00bd6da4fefc9p-3, -0x1.dadc71481e7d6p-3}},
                  {10, {-0x1.62530029a28e2p-2, 0x1.3ae382e7dac11p-1, -0x1.fd65f18792da8p-4, 0x1.cfb97e64fc710p-1}}});
}

TEST_CASE("MountainCar") {
  const Episode found = episode("mountaincar", 42, 200, [](auto, State s) { return s[1] >= 0 ? 2.0 : 0.0; });
  require_states(found, {{121, {0x1.08184bac984aep-1, 0x1.443f0a0c81958p-5}}});
  CHECK(found.last.terminated);
  CHECK(found.sum == -121);
}

TEST_CASE("MountainCarContinuous under both promotions") {
  const auto full = [](auto, State) { return 1.0; };
  const auto pattern = [](auto t, State) { return static_cast<double>(q(21, t) - 10) / 10.0; };
  const std::vector<double> first{-0x1.c6f44e0000000p-2, 0x1.e105fe0000000p-11};
  const std::vector<double> first_of_seven{-0x1.e849dc0000000p-2, -0x1.e876ce0000000p-10};
  const Episode old = episode("mountaincar-continuous", 42, 999, full, {.numpy_promotion = 1});
  require_states(old, {{1, first},
                       {2, {-0x1.c515080000000p-2, 0x1.df45140000000p-10}},
                       {100, {-0x1.50a1440000000p-2, 0x1.62cc180000000p-7}},
                       {999, {-0x1.c35bec0000000p-2, 0x1.3cd7d20000000p-9}}});
  CHECK(old.sum == -99.8999999999986);
  CHECK(old.last.truncated);
  CHECK(!old.last.terminated);
  const Episode now = episode("mountaincar-continuous", 42, 999, full);
  require_states(now, {{1, first},
                       {2, {-0x1.c515080000000p-2, 0x1.df45120000000p-10}},
                       {100, {-0x1.50a14a0000000p-2, 0x1.62cc140000000p-7}},
                       {999, {-0x1.c35bee0000000p-2, 0x1.3cd6a20000000p-9}}});
  CHECK(now.sum == -99.8999999999986);
  const Episode seven = episode("mountaincar-continuous", 7, 999, pattern, {.numpy_promotion = 1});
  require_states(seven, {{1, first_of_seven},
                         {20, {-0x1.2d5b180000000p-1, -0x1.7d40f00000000p-8}},
                         {100, {-0x1.34bf420000000p-1, 0x1.f6ad1a0000000p-10}},
                         {999, {-0x1.f7dbb60000000p-2, 0x1.2837a40000000p-9}}});
  CHECK(seven.sum == -36.60300000000003);
  const Episode seven_now = episode("mountaincar-continuous", 7, 999, pattern);
  require_states(seven_now, {{1, first_of_seven},
                             {20, {-0x1.2d5b180000000p-1, -0x1.7d40f40000000p-8}},
                             {100, {-0x1.34bf440000000p-1, 0x1.f6ad180000000p-10}},
                             {999, {-0x1.f7dbb20000000p-2, 0x1.2838880000000p-9}}});
  CHECK(seven_now.sum == -36.60300000000003);
}

TEST_CASE("Pendulum") {
  const Episode torque = episode("pendulum", 42, 200, [](auto, State) { return 2.0; });
  require_states(torque, {{1, {0x1.c46c7df919881p+0, 0x1.d6ab720030ebap-1}},
                          {10, {0x1.02c0da597c0fcp+2, 0x1.a77079361c54fp+2}},
                          {200, {0x1.20c07c6660fcfp+6, 0x1.0p+3}}});
  CHECK(torque.first_reward == -2.9684252412400434);
  CHECK(torque.sum == -1634.7441599814904);
  CHECK(torque.last.truncated);
  const Episode nothing = episode("pendulum", 42, 200, [](auto, State) { return 0.0; });
  require_states(nothing, {{10, {0x1.b49e69fbeb030p+1, 0x1.41d0d19265e0ep+2}},
                           {200, {0x1.15e3f6c5905f7p+2, 0x1.709d5834b84ecp+1}}});
  CHECK(nothing.sum == -1272.9264797856508);
  const Episode pattern =
      episode("pendulum", 7, 200, [](auto t, State) { return 2.0 * (static_cast<double>(q(21, t) - 10) / 10.0); });
  require_states(pattern, {{0, {0x1.926e545e3f060p-1, 0x1.96bf36f2bc99ap-1}},
                           {1, {0x1.acac44041c9d0p-1, 0x1.066b5c7aa7e62p+0}},
                           {20, {0x1.4841e29c0dbb7p+2, 0x1.0d0b412014124p+1}},
                           {100, {0x1.00b5090a23e8ap-1, -0x1.663ff6e0f04aep-2}},
                           {200, {0x1.dce7d1707df44p+0, -0x1.9a81e7b91afbap+2}}});
  CHECK(pattern.first_reward == -0.6849043739632108);
  CHECK(pattern.sum == -951.7124231342888);
}

TEST_CASE("first states of five seeds") {
  struct Known {
    std::vector<double> cartpole, acrobot;
    double mountaincar;
    std::vector<double> pendulum;
  };
  const std::vector<Known> known{
      {{0x1.c0cbca647ced0p-7, -0x1.792e736320f47p-6, -0x1.7808d4489d6d2p-5, -0x1.8c0f80ec8f29dp-5},
       {0x1.c0cbcap-6, -0x1.792e74p-5, -0x1.7808d4p-4, -0x1.8c0f80p-4},
       -0x1.e3f34359b8314p-2,
       {0x1.b89ac06c69d18p-1, -0x1.d77a103be9318p-2}},
      {{0x1.35e59496dac00p-10, 0x1.7105158c043bcp-5, -0x1.2381235316a62p-5, 0x1.6f889bc9088e2p-5},
       {0x1.35e594p-9, 0x1.710516p-4, -0x1.238124p-4, 0x1.6f889cp-4},
       -0x1.fd9434d6d24a8p-2,
       {0x1.303d8f79e5900p-4, 0x1.cd465aef054aap-1}},
      {{-0x1.86931e2dd6eaap-6, -0x1.4a26f0b8e683ap-6, 0x1.0169e9fe1fcbep-5, -0x1.4e4d6e0827eb8p-5},
       {-0x1.86931ep-5, -0x1.4a26f0p-5, 0x1.0169eap-4, -0x1.4e4d6ep-4},
       -0x1.186931e2dd6eap-1,
       {-0x1.7f721f99bfbf6p+0, -0x1.9cb0ace720248p-2}},
      {{-0x1.536faaf3cd9dap-5, -0x1.af35acaba6ce0p-6, 0x1.ed9bab612925cp-6, 0x1.0d3a82e4b9e68p-7},
       {-0x1.536faap-4, -0x1.af35acp-5, 0x1.ed9bacp-5, 0x1.0d3a82p-6},
       -0x1.2a6df55e79b3bp-1,
       {-0x1.4d3d9f52a194dp+1, -0x1.0d818beb4840cp-1}},
      {{0x1.6af3998becb3ap-5, 0x1.28f1eb8d74760p-10, 0x1.86238b4302682p-5, -0x1.57610e9ce5245p-5},
       {0x1.6af39ap-4, 0x1.28f1ecp-9, 0x1.86238cp-4, -0x1.57610ep-4},
       -0x1.a543199d04d32p-2,
       {0x1.6453ad41b4e6ap+1, 0x1.732e6670d1940p-6}}};
  for (std::size_t seed = 0; seed < known.size(); ++seed) {
    const auto first = [&](const char* name) {
      const auto environment = make(name);
      environment->reset(seed);
      return std::vector<double>(environment->state().begin(), environment->state().end());
    };
    CHECK(first("cartpole") == known[seed].cartpole);
    CHECK(first("acrobot") == known[seed].acrobot);
    CHECK(first("mountaincar") == std::vector{known[seed].mountaincar, 0.0});
    CHECK(first("mountaincar-continuous") == std::vector{known[seed].mountaincar, 0.0});
    CHECK(first("pendulum") == known[seed].pendulum);
  }
}

TEST_CASE("observations are the state in single precision, angles by cosine and sine") {
  const auto cartpole = make("cartpole");
  cartpole->reset(42);
  CHECK(cartpole->observation()[0] == static_cast<float>(0x1.c0d97eba2bd40p-6));
  const auto acrobot = make("acrobot");
  acrobot->reset(42);
  CHECK(acrobot->observation()[0] == static_cast<float>(std::cos(acrobot->state()[0])));
  CHECK(acrobot->observation()[3] == static_cast<float>(std::sin(acrobot->state()[1])));
  const auto pendulum = make("pendulum");
  pendulum->reset(42);
  CHECK(pendulum->observation()[1] == static_cast<float>(std::sin(pendulum->state()[0])));
}

TEST_CASE("an action that an environment does not have is refused by its range") {
  const auto refused = [](const char* name, double action) {
    const auto environment = make(name);
    environment->reset(1);
    try {
      environment->step(action);
    } catch (const variance::InvalidInput& wrong) {
      return wrong.field + "|" + wrong.allowed;
    }
    return std::string();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  CHECK(refused("acrobot", 3) == "action|0 to 2");
  CHECK(refused("cartpole", -1) == "action|0 to 1");
  CHECK(refused("cartpole", .5) == "action|0 to 1");
  CHECK(refused("cartpole", nan) == "action|0 to 1");
  CHECK(refused("pendulum", nan) == "action|finite numbers");
  CHECK(refused("mountaincar-continuous", infinite) == "action|finite numbers");
  CHECK(refused("pendulum", 100).empty());
  CHECK_THROWS_WITH(make("cartpol"), has_text("cartpole, acrobot, mountaincar, mountaincar-continuous, pendulum"));
}

TEST_CASE("a step after the end: a warning of CartPole, an error elsewhere") {
  const auto cartpole = make("cartpole");
  cartpole->reset(42);
  while (!cartpole->step(1.0).ends()) CHECK(cartpole->warning().empty());
  CHECK(cartpole->step(1.0).reward == 0);
  CHECK_THAT(cartpole->warning(), has_text("after the end"));
  const auto car = make("mountaincar", {.limit = 2});
  car->reset(1);
  CHECK(!car->step(1.0).truncated);
  CHECK(car->step(1.0).truncated);
  CHECK_THROWS_AS(car->step(1.0), variance::InvalidInput);
}

TEST_CASE("options: another reward, no limit, a cost that changes no bit") {
  CHECK(episode("cartpole", 42, 500, [](auto, State) { return 1.0; }, {.sutton_barto_reward = true}).sum == -1);
  CHECK(!episode("pendulum", 1, 300, [](auto, State) { return 0.0; }, {.limit = 0}).last.ends());
  const auto still = [](auto, State) { return 1.0; };
  CHECK(episode("acrobot", 3, 50, still).states == episode("acrobot", 3, 50, still, {.sim_cost = 1000}).states);
  CHECK(episode("acrobot", 3, 50, still).states != episode("acrobot", 3, 50, still, {.nips_acrobot = true}).states);
}

TEST_CASE("a reset without a seed goes on with the generator, and a saved environment goes on with its episode") {
  for (const std::string& name : present_environments()) {
    INFO(name);
    const auto one = make(name), other = make(name);
    const std::size_t dimensions = one->description().actions.dimensions();
    const std::vector<double> still(dimensions, 0.0), moving(dimensions, 1.0);
    one->reset(9);
    one->step(still);
    std::stringstream bytes;
    nn::StateWriter to(bytes);
    one->save(to);
    nn::StateReader from(bytes);
    other->load(from);
    CHECK(one->observation() == other->observation());
    for (int i = 0; i < 5; ++i) CHECK(one->step(moving).reward == other->step(moving).reward);
    CHECK(std::ranges::equal(one->state(), other->state()));
    one->reset();
    other->reset();
    CHECK(std::ranges::equal(one->state(), other->state()));
    const auto fresh = make(name);
    fresh->reset(9);
    CHECK(!std::ranges::equal(one->state(), fresh->state()));
  }
}

TEST_CASE("the self-test passes") {
  CHECK(self_test().empty());
}

}  // namespace retrial::rl_environment_tests
