#include "workloads/rl/env/kinds.hpp"
#include "workloads/rl/env/libm.hpp"

namespace retrial::rlenv {
namespace {

constexpr double top_speed = 0.07, left_end = -1.2, right_end = 0.6, goal = 0.5, near_goal = 0.45;

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
    return {.reward = -1, .terminated = p >= goal && v >= 0};
  }
};

float single(double value) {
  return static_cast<float>(value);
}

/// The state is stored as float32 after each step. NumPy 1 computes with it in double precision; NumPy 2 keeps float32
/// wherever the other operand is a number of Python.
class MountainCarContinuous final : public SmallEnvironment<2> {
 public:
  using SmallEnvironment::SmallEnvironment;

 protected:
  void start(Pcg64& generator) override {
    s_ = {generator.uniform(-0.6, -0.4), 0};
    singles_ = false;
  }

  Step move(std::span<const double> action) override {
    auto& [p, v] = s_;
    const double a = action[0], force = clipped(a, -1, 1);
    const bool weak = singles_ && options().numpy_promotion == 2;  // numbers of Python become float32
    const double push = force * 0.0015 - 0.0025 * std::cos(weak ? single(static_cast<float>(p) * 3.0F) : 3 * p);
    bool is_single = weak && force != a;  // the bound is a number of Python, a given action a float64
    v = is_single ? single(static_cast<float>(v) + single(push)) : v + push;
    if (is_single ? static_cast<float>(v) > single(top_speed) : v > top_speed) v = top_speed, is_single = weak;
    if (is_single ? static_cast<float>(v) < -single(top_speed) : v < -top_speed) v = -top_speed, is_single = weak;
    p = is_single ? single(static_cast<float>(p) + single(v)) : p + v;
    if (p > right_end) p = right_end, is_single = false;
    if (p < left_end) p = left_end, is_single = false;
    if (p == left_end && v < 0) v = 0;
    const bool reached = (is_single ? static_cast<float>(p) >= single(near_goal) : p >= near_goal) && v >= 0;
    s_ = {single(p), single(v)};
    singles_ = true;
    return {.reward = (reached ? 100.0 : 0.0) - pw2(a) * 0.1, .terminated = reached};
  }

  void save_state(nn::StateWriter& to) const override {
    SmallEnvironment::save_state(to);
    to.number("singles", singles_ ? 1 : 0);
  }
  void load_state(nn::StateReader& from) override {
    SmallEnvironment::load_state(from);
    singles_ = from.number("singles") != 0;
  }

 private:
  bool singles_ = false;  ///< the state is float32: after the first step
};

}  // namespace

std::unique_ptr<Environment> make_mountaincar(const Description& description, const Options& options) {
  return std::make_unique<MountainCar>(description, options);
}

std::unique_ptr<Environment> make_mountaincar_continuous(const Description& description, const Options& options) {
  return std::make_unique<MountainCarContinuous>(description, options);
}

}  // namespace retrial::rlenv
