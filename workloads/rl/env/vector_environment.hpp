#pragma once

#include "workloads/rl/env/environment.hpp"

namespace retrial::rlenv {

/// What a step does with an environment whose episode has ended.
enum class Autoreset {
  next_step,  ///< the step after the end resets it, ignores the action and has a reward of 0
  same_step   ///< it is reset at once; the last observation of the episode is in final_observations()
};

/// Environments of one kind that are stepped together. Nothing depends on the number of threads.
class VectorEnvironment {
 public:
  VectorEnvironment(const std::string& name, const Options& options, std::size_t count,
                    Autoreset autoreset = Autoreset::next_step, std::size_t threads = 1);

  /// Environment i with seed + i, modulo 2^64.
  void reset(std::uint64_t seed);
  /// The actions of environment 0, then those of environment 1, ...
  void step(std::span<const double> actions);

  [[nodiscard]] std::size_t count() const { return environments_.size(); }
  [[nodiscard]] const Description& description() const { return environments_.front()->description(); }
  [[nodiscard]] const Environment& operator[](std::size_t i) const { return *environments_[i]; }
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  [[nodiscard]] std::span<const float> observations() const { return observations_; }
  /// With same_step; valid where an episode has just ended.
  [[nodiscard]] std::span<const float> final_observations() const { return final_observations_; }

  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 private:
  void step_one(std::size_t i, std::span<const double> action);
  [[nodiscard]] std::span<float> row(std::vector<float>& of, std::size_t i) const;

  std::vector<std::unique_ptr<Environment>> environments_;
  Autoreset autoreset_;
  std::size_t threads_, dimensions_ = 1;
  std::vector<Step> steps_;
  std::vector<float> observations_, final_observations_;
};

}  // namespace retrial::rlenv
