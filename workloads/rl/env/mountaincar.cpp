#include "workloads/rl/env/kinds.hpp"

namespace retrial::rlenv {
namespace {

constexpr double top_speed = 0.07, left_end = -1.2, right_end = 0.6;

class MountainCar final : public SmallEnvironment<2> {
 public:
  using SmallEnvironment::SmallEnvironment;

 protected:
  void start(Pcg64& generator) override { s_ = {generator.uniform(-0.6, -0.4), 0}; }

  Step move(std::span<const double> action) override {
    auto& [p, v] = s_;
    v = v + ((action[0] - 1) * 0.001 + std::cos(3 * p) * -0.0025);
    v = clipped(v, -top_speed, top_speed);
    p = p + v;
    p = clipped(p, left_end, right_end);
    if (p == left_end && v < 0) v = 0;
    return {.reward = -1, .terminated = p >= 0.5 && v >= 0};
  }
};

}  // namespace

std::unique_ptr<Environment> make_mountaincar(const Description& description, const Options& options) {
  return std::make_unique<MountainCar>(description, options);
}

}  // namespace retrial::rlenv
