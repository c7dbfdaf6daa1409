#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "workloads/rl/env/environment.hpp"

/// For .cpp files of this folder: environments whose state is a few doubles, and how each is made.
namespace retrial::rlenv {

template <std::size_t N>
class SmallEnvironment : public Environment {
 public:
  using Environment::Environment;
  [[nodiscard]] std::span<const double> state() const final { return s_; }
  void observe(std::span<float> to) const override {
    for (std::size_t i = 0; i < N; ++i) to[i] = static_cast<float>(s_[i]);
  }

 protected:
  void save_state(nn::StateWriter& to) const override {
    for (const double value : s_) to.real("state", value);
  }
  void load_state(nn::StateReader& from) override {
    for (double& value : s_) value = from.real("state");
  }
  std::array<double, N> s_{};
};

/// As Python's min(max(x, low), high), and as NumPy's clip of finite numbers.
inline double clipped(double x, double low, double high) {
  const double above = x < low ? low : x;
  return above > high ? high : above;
}

[[nodiscard]] std::unique_ptr<Environment> make_cartpole(const Description& description, const Options& options);
[[nodiscard]] std::unique_ptr<Environment> make_acrobot(const Description& description, const Options& options);
[[nodiscard]] std::unique_ptr<Environment> make_mountaincar(const Description& description, const Options& options);
[[nodiscard]] std::unique_ptr<Environment> make_mountaincar_continuous(const Description& description,
                                                                       const Options& options);
[[nodiscard]] std::unique_ptr<Environment> make_pendulum(const Description& description, const Options& options);
/// hopper, walker2d, halfcheetah, where absent_mujoco says nothing.
[[nodiscard]] std::unique_ptr<Environment> make_mujoco(const Description& description, const Options& options);
[[nodiscard]] std::string absent_mujoco(const std::string& name);

}  // namespace retrial::rlenv
