// Expected values: Gymnasium 1.4.0's Hopper-v4, Walker2d-v4 and HalfCheetah-v4 on MuJoCo 2.3.7 of PyPI, reset seed 0,
// action sin(0.3 t + i) of dimension i at step t (tests/measure/peers/environments.py). Starts are equal in every bit.
// Another version of the simulator may round otherwise, and contacts make that grow: five steps within 1e-6.
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "workloads/rl/env/environment.hpp"

namespace retrial::rl_mujoco_tests {

using namespace retrial::rlenv;

bool present(const std::string& name) {
  const std::string reason = absent_environment(name);
  if (reason.empty()) return true;
  WARN("left out: " << name << ": " << reason << " (scripts/setup)");
  return false;
}

std::vector<double> action_at(const Environment& environment) {
  std::vector<double> action(environment.description().actions.dimensions());
  for (std::size_t i = 0; i < action.size(); ++i)
    action[i] = std::sin(.3 * static_cast<double>(environment.elapsed()) + static_cast<double>(i));
  return action;
}

struct Known {
  const char* name;
  std::vector<double> start, later, rewards;
  std::int64_t length;
  double sum;
};

const Known hopper{"hopper",
                   {0x1.67096eb6ca570p-10, 0x1.3f69209ea5260p+0, -0x1.2cd3dd06e4575p-8, -0x1.3cd933f07287ep-8,
                    0x1.9a9c0ca4bcc42p-9, 0x1.0e80e50e7666bp-8, 0x1.178a0ec7b7968p-10, 0x1.2cce447abaeeap-9,
                    0x1.c970f1dc75320p-12, 0x1.1d210a50cb1b7p-8, 0x1.9dfeddb49eb96p-9, -0x1.45e2a2cb15227p-8},
                   {0.004069532591035922, 1.237909062586087, 0.009062920483648748, 0.008143766925924374,
                    0.0030822267677136153, 0.09797560262155863, 0.0725837135857061, -0.4599256492268326,
                    0.1569016300251304, 0.08248864616294119, -0.0030373991436928294, 3.2833854384408303},
                   {1.012510506467777, 1.0479139425954742, 1.0960792706957267, 1.0949077595426864, 1.078295431211383},
                   17,
                   11.541169241597322};

const Known walker{
    "walker2d",
    {0x1.67096eb6ca570p-10, 0x1.3f69209ea5260p+0, -0x1.2cd3dd06e4575p-8, -0x1.3cd933f07287ep-8, 0x1.9a9c0ca4bcc42p-9,
     0x1.0e80e50e7666bp-8, 0x1.178a0ec7b7968p-10, 0x1.2cce447abaeeap-9, 0x1.c970f1dc75320p-12, 0x1.1d210a50cb1b7p-8,
     0x1.9dfeddb49eb96p-9, -0x1.45e2a2cb15227p-8, 0x1.d474f9967f7fap-9, -0x1.31ab5b012415ap-8, 0x1.2d0394a2a2e06p-9,
     -0x1.a91fea0b0689ap-9, 0x1.dc069fe1bcb5ap-9, 0x1.b2c09d9a815b0p-12},
    {-0.0158080196690942, 1.241543924152565, -0.0798355680269121, -0.061704512982893034, 0.007898697611556395,
     0.7989363541602634, 0.005700588350062208, -0.14659958504429882, -0.2869607143670207, -0.9480889068377829,
     -0.3016886827814461, -3.817043238555402, -2.0669194296587836, 0.13238927372226472, 27.63610797181295,
     0.08952616934702076, -7.77566366830311, 5.200444528029171},
    {0.9398779035764381, 0.787276279493709, 0.5917813407994686, 0.3690609208449018, 0.14924051660864582},
    23,
    -3.8386656069553493};

void check_episode(const Known& known) {
  if (!present(known.name)) return;
  const auto environment = make(known.name);
  environment->reset(0);
  CHECK(std::ranges::equal(environment->state(), known.start));
  double sum = 0;
  for (Step step; !step.ends();) {
    step = environment->step(action_at(*environment));
    const auto t = static_cast<std::size_t>(environment->elapsed());
    if (t <= known.rewards.size()) CHECK_THAT(step.reward, WithinAbs(known.rewards[t - 1], 1e-6));
    if (t == known.rewards.size())
      for (std::size_t i = 0; i < known.later.size(); ++i) {
        INFO(known.name << ' ' << i);
        CHECK_THAT(environment->state()[i], WithinAbs(known.later[i], 1e-6));
      }
    sum += step.reward;
  }
  CHECK(environment->elapsed() == known.length);
  CHECK_THAT(sum, WithinAbs(known.sum, 1e-3));
}

TEST_CASE("walkers on MuJoCo move and fall as Gymnasium's", "[needs-mujoco]") {
  check_episode(hopper);
  check_episode(walker);
}

// The rates of its start are not NumPy's, so what is compared is the rule: the reward by its own positions, in steps of
// five times .01 s, and the limit of the episode.
TEST_CASE("halfcheetah never falls, and is paid for its speed less a tenth of its squared actions", "[needs-mujoco]") {
  if (!present("halfcheetah")) return;
  const auto environment = make("halfcheetah");
  environment->reset(0);
  const std::vector<double> positions{0x1.c0cbca647ced0p-6,  -0x1.792e736320f47p-5, -0x1.7808d4489d6d2p-4,
                                      -0x1.8c0f80ec8f29dp-4, 0x1.00a187e6f5faap-4,  0x1.52211e5214006p-4,
                                      0x1.5d6c9279a57c0p-6,  0x1.7801d59969aa4p-5,  0x1.1de69729c93f0p-7};
  CHECK(std::ranges::equal(environment->state().first(9), positions));
  for (Step step; !step.ends();) {
    const double before = environment->state()[0];
    const std::vector<double> action = action_at(*environment);
    double squares = 0;
    for (const double value : action) squares += value * value;
    step = environment->step(action);
    CHECK_FALSE(step.terminated);
    REQUIRE_THAT(step.reward, WithinAbs((environment->state()[0] - before) / .05 - .1 * squares, 1e-12));
  }
  CHECK(environment->elapsed() == 1000);
}

TEST_CASE("the distance covered is no observation, and rates of the first two are clipped", "[needs-mujoco]") {
  if (!present("walker2d")) return;
  const auto environment = make("walker2d");
  environment->reset(0);
  for (int t = 0; t < 5; ++t) environment->step(action_at(*environment));
  const std::vector<float> seen = environment->observation();
  REQUIRE(seen.size() == 17);
  bool clipped = false;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double value = environment->state()[i + 1];
    clipped = clipped || std::fabs(value) > 10;
    CHECK(seen[i] == static_cast<float>(i < 8 ? value : std::clamp(value, -10., 10.)));
  }
  CHECK(clipped);
}

}  // namespace retrial::rl_mujoco_tests
