#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/nn/shape/state.hpp"

namespace retrial::rl::inline agents {

/// The last transitions, in a ring; rows are drawn uniformly with replacement.
class ReplayBuffer {
 public:
  ReplayBuffer(std::size_t capacity, std::size_t observations, std::size_t actions)
      : capacity_(capacity), observations_(observations), actions_(actions) {}

  struct Transition {
    std::span<const float> observation, action, next_observation;
    float reward = 0;
    bool terminated = false;  ///< an end by the time limit is none: the value of what follows counts
  };
  void add(const Transition& transition);
  [[nodiscard]] std::size_t size() const { return rewards_.size(); }
  [[nodiscard]] Transition operator[](std::size_t row) const;
  /// The rows of update u; `seed` is the source seed of data-order.
  [[nodiscard]] std::vector<std::size_t> drawn(std::uint64_t seed, std::uint64_t update, std::size_t count) const;

  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 private:
  std::size_t capacity_, observations_, actions_, next_ = 0;
  std::vector<float> seen_, done_, followed_, rewards_, ends_;
};

}  // namespace retrial::rl::inline agents
