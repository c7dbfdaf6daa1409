#include "workloads/rl/env/kinds.hpp"

namespace retrial::rlenv {
namespace {

constexpr double earth_gravity = 9.8, pole_mass = 0.1, total_mass = pole_mass + 1.0, half_length = 0.5,
                 pole_moment = pole_mass * half_length, push_force = 10.0, tau = 0.02, farthest = 2.4,
                 widest = 12 * 2 * std::numbers::pi / 360;

class CartPole final : public SmallEnvironment<4> {
 public:
  using SmallEnvironment::SmallEnvironment;

 protected:
  void start(Pcg64& generator) override {
    for (double& value : s_) value = generator.uniform(-0.05, 0.05);
  }

  Step move(std::span<const double> action) override {
    auto& [x, v, angle, rate] = s_;
    const double push = action[0] == 1 ? push_force : -push_force, sine = std::sin(angle), cosine = std::cos(angle);
    const double temp = (push + pole_moment * (rate * rate) * sine) / total_mass;
    const double turn = (earth_gravity * sine - cosine * temp) /
                        (half_length * (4.0 / 3.0 - pole_mass * (cosine * cosine) / total_mass));
    const double acceleration = temp - pole_moment * turn * cosine / total_mass;
    x = x + tau * v;
    v = v + tau * acceleration;
    angle = angle + tau * rate;
    rate = rate + tau * turn;
    const bool fell = x < -farthest || x > farthest || angle < -widest || angle > widest;
    if (options().sutton_barto_reward) return {.reward = fell ? -1.0 : 0.0, .terminated = fell};
    return {.reward = 1, .terminated = fell};
  }

  [[nodiscard]] bool continues() const override { return true; }
};

}  // namespace

std::unique_ptr<Environment> make_cartpole(const Description& description, const Options& options) {
  return std::make_unique<CartPole>(description, options);
}

}  // namespace retrial::rlenv
