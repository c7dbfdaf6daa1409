#include "workloads/rl/env/kinds.hpp"
#include "workloads/rl/env/libm.hpp"
#include "workloads/rl/env/normalised_angle.hpp"

namespace retrial::rlenv {

double normalised_angle(double angle) {
  constexpr double circle = 2 * std::numbers::pi;
  double rest = std::fmod(angle + std::numbers::pi, circle);
  if (rest < 0) rest += circle;
  return rest - std::numbers::pi;
}

namespace {

constexpr double top_rate = 8, top_torque = 2, step_seconds = 0.05;
constexpr double by_gravity = 3 * 10.0 / (2 * 1.0), by_torque = 3.0 / (1.0 * 1.0);  // of 10 m/s2, 1 kg, 1 m

class Pendulum final : public SmallEnvironment<2> {
 public:
  using SmallEnvironment::SmallEnvironment;

  void observe(std::span<float> to) const override {
    to[0] = static_cast<float>(std::cos(s_[0]));
    to[1] = static_cast<float>(std::sin(s_[0]));
    to[2] = static_cast<float>(s_[1]);
  }

 protected:
  void start(Pcg64& generator) override {
    s_[0] = generator.uniform(-std::numbers::pi, std::numbers::pi);
    s_[1] = generator.uniform(-1, 1);
  }

  Step move(std::span<const double> action) override {
    auto& [angle, rate] = s_;
    const double u = clipped(action[0], -top_torque, top_torque);
    const double cost = pw2(normalised_angle(angle)) + 0.1 * pw2(rate) + 0.001 * pw2(u);
    rate = clipped(rate + (by_gravity * std::sin(angle) + by_torque * u) * step_seconds, -top_rate, top_rate);
    angle = angle + rate * step_seconds;
    return {.reward = -cost};
  }
};

}  // namespace

std::unique_ptr<Environment> make_pendulum(const Description& description, const Options& options) {
  return std::make_unique<Pendulum>(description, options);
}

}  // namespace retrial::rlenv
