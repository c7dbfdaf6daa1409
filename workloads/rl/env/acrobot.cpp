#include "workloads/rl/env/kinds.hpp"
#include "workloads/rl/env/libm.hpp"

namespace retrial::rlenv {
namespace {

constexpr double pi = std::numbers::pi, gravity = 9.8, acrobot_seconds = 0.2;
// Lengths, masses, centers of mass and moments of both links; their squares are exact.
constexpr double l1 = 1, m1 = 1, m2 = 1, lc1 = 0.5, lc2 = 0.5, i1 = 1, i2 = 1, l1_squared = 1, lc_squared = 0.25;

using State = std::array<double, 4>;

State derivatives(const State& s, double torque, bool nips) {
  const auto& [angle1, angle2, rate1, rate2] = s;
  const double sine2 = std::sin(angle2), cosine2 = std::cos(angle2), rate2_squared = pw2(rate2);
  const double d1 = m1 * lc_squared + m2 * (l1_squared + lc_squared + 2 * l1 * lc2 * cosine2) + i1 + i2;
  const double d2 = m2 * (lc_squared + l1 * lc2 * cosine2) + i2;
  const double phi2 = m2 * lc2 * gravity * std::cos(angle1 + angle2 - pi / 2.0);
  const double phi1 = -m2 * l1 * lc2 * rate2_squared * sine2 - 2 * m2 * l1 * lc2 * rate2 * rate1 * sine2 +
                      (m1 * lc1 + m2 * l1) * gravity * std::cos(angle1 - pi / 2) + phi2;
  const double below = m2 * lc_squared + i2 - pw2(d2) / d1;
  const double turn2 = nips ? (torque + d2 / d1 * phi1 - phi2) / below
                            : (torque + d2 / d1 * phi1 - m2 * l1 * lc2 * pw2(rate1) * sine2 - phi2) / below;
  return {rate1, rate2, -(d2 * turn2 + phi1) / d1, turn2};
}

State moved(const State& from, double seconds, const State& by) {
  State to{};
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] + seconds * by[i];
  return to;
}

double wrapped(double angle) {
  while (angle > pi) angle = angle - 2 * pi;
  while (angle < -pi) angle = angle + 2 * pi;
  return angle;
}

class Acrobot final : public SmallEnvironment<4> {
 public:
  using SmallEnvironment::SmallEnvironment;

  void observe(std::span<float> to) const override {
    const double values[] = {std::cos(s_[0]), std::sin(s_[0]), std::cos(s_[1]), std::sin(s_[1]), s_[2], s_[3]};
    for (std::size_t i = 0; i < std::size(values); ++i) to[i] = static_cast<float>(values[i]);
  }

 protected:
  void start(Pcg64& generator) override {
    for (double& value : s_) value = static_cast<float>(generator.uniform(-0.1, 0.1));
  }

  /// One Runge-Kutta step of order 4 with a constant torque.
  Step move(std::span<const double> action) override {
    const double torque = action[0] - 1, half = acrobot_seconds / 2.0;
    const bool nips = options().nips_acrobot;
    const State k1 = derivatives(s_, torque, nips), k2 = derivatives(moved(s_, half, k1), torque, nips),
                k3 = derivatives(moved(s_, half, k2), torque, nips),
                k4 = derivatives(moved(s_, acrobot_seconds, k3), torque, nips);
    for (std::size_t i = 0; i < s_.size(); ++i)
      s_[i] = s_[i] + acrobot_seconds / 6.0 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    s_[0] = wrapped(s_[0]);
    s_[1] = wrapped(s_[1]);
    s_[2] = clipped(s_[2], -4 * pi, 4 * pi);
    s_[3] = clipped(s_[3], -9 * pi, 9 * pi);
    const bool reached = -std::cos(s_[0]) - std::cos(s_[1] + s_[0]) > 1.0;
    return {.reward = reached ? 0.0 : -1.0, .terminated = reached};
  }
};

}  // namespace

std::unique_ptr<Environment> make_acrobot(const Description& description, const Options& options) {
  return std::make_unique<Acrobot>(description, options);
}

}  // namespace retrial::rlenv
