#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/rl/env/numpy_generator.hpp"

/// Environments of reinforcement learning. The small ones agree bit for bit with those of Gymnasium where NumPy uses
/// the same mathematical library; those on the simulator MuJoCo do not (docs/workloads/rl.md).
namespace retrial::rlenv {

/// Choices 0 to count - 1, or `count` numbers between -bound and bound.
struct ActionSpace {
  bool discrete = true;
  std::int64_t count = 0;
  double bound = 0;
  /// Values of one action.
  [[nodiscard]] std::size_t dimensions() const { return discrete ? 1 : static_cast<std::size_t>(count); }
};

struct Description {
  std::string name, gymnasium;  ///< "cartpole", "CartPole-v1"
  std::size_t observations = 0;
  ActionSpace actions;
  std::int64_t limit = 0;  ///< steps after which an episode is truncated
  std::optional<double> solved = {};
  std::string needs = {};      ///< a library; empty: nothing
  double step_seconds = 1e-7;  ///< of one CPU, about
};

struct Options {
  /// How NumPy computes with float32: 1 in double precision, 2 in single precision (mountaincar-continuous).
  std::int64_t numpy_promotion = 2;
  /// Multiply-adds of integers that are added to every step: time, and no bit.
  std::int64_t sim_cost = 0;
  bool sutton_barto_reward = false;        ///< cartpole: 0 a step, -1 at the end
  bool nips_acrobot = false;               ///< acrobot: the equations of the NIPS paper, not those of the book
  std::optional<std::int64_t> limit = {};  ///< in place of that of the description; 0: none
};

struct Step {
  double reward = 0;
  bool terminated = false, truncated = false;
  [[nodiscard]] bool ends() const { return terminated || truncated; }
};

/// One environment. Observations are float32, the state is float64.
class Environment {
 public:
  Environment(Description description, Options options);
  virtual ~Environment() = default;

  void reset(std::uint64_t seed);
  /// Continues the generator.
  void reset();
  /// One value for each dimension of the action; of a discrete one its number. Throws InvalidInput("action").
  Step step(std::span<const double> action);
  Step step(double action) { return step({&action, 1}); }

  [[nodiscard]] virtual std::span<const double> state() const = 0;
  virtual void observe(std::span<float> to) const = 0;
  [[nodiscard]] std::vector<float> observation() const;

  [[nodiscard]] const Description& description() const { return description_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] std::int64_t elapsed() const { return elapsed_; }
  /// Empty unless a step was made after the end of an episode.
  [[nodiscard]] const std::string& warning() const { return warning_; }
  /// Everything that later steps depend on, the generator included.
  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 protected:
  /// Draws the first state of an episode.
  virtual void start(Pcg64& generator) = 0;
  virtual Step move(std::span<const double> action) = 0;
  /// True if steps after the end of an episode are made, for a reward of 0; else they are refused.
  [[nodiscard]] virtual bool continues() const { return false; }
  virtual void save_state(nn::StateWriter& to) const = 0;
  virtual void load_state(nn::StateReader& from) = 0;

 private:
  void check(std::span<const double> action) const;
  void simulate_cost();

  Description description_;
  Options options_;
  Pcg64 generator_;
  std::int64_t limit_ = 0, elapsed_ = 0;
  std::uint64_t sink_ = 1;
  bool finished_ = true;
  std::string warning_;
};

/// All, in the order of lists; some need a library that may be absent.
[[nodiscard]] const std::vector<Description>& environments();
/// Null for another name.
[[nodiscard]] const Description* environment_if_known(const std::string& name);
/// Why this program cannot make the environment; empty where it can, and for an unknown name.
[[nodiscard]] std::string absent_environment(const std::string& name);
[[nodiscard]] std::vector<std::string> present_environments();
/// Throws InvalidInput("env") with the names that are present.
[[nodiscard]] std::unique_ptr<Environment> make(const std::string& name, const Options& options = {});

}  // namespace retrial::rlenv
