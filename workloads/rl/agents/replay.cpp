#include "workloads/rl/agents/replay.hpp"

#include <algorithm>

#include "variance/random/rng.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/profiler/recording/annotation.hpp"

namespace retrial::rl::inline agents {
namespace {

void put(std::vector<float>& rows, std::size_t row, std::span<const float> values) {
  if (rows.size() < (row + 1) * values.size()) rows.resize((row + 1) * values.size());
  std::ranges::copy(values, rows.begin() + static_cast<std::ptrdiff_t>(row * values.size()));
}

std::span<const float> part_of(const std::vector<float>& rows, std::size_t row, std::size_t width) {
  return std::span(rows).subspan(row * width, width);
}

}  // namespace

void ReplayBuffer::add(const Transition& transition) {
  const float end = transition.terminated ? 1.0F : 0.0F;
  put(seen_, next_, transition.observation);
  put(done_, next_, transition.action);
  put(followed_, next_, transition.next_observation);
  put(rewards_, next_, {&transition.reward, 1});
  put(ends_, next_, {&end, 1});
  next_ = (next_ + 1) % capacity_;
}

ReplayBuffer::Transition ReplayBuffer::operator[](std::size_t row) const {
  return {.observation = part_of(seen_, row, observations_),
          .action = part_of(done_, row, actions_),
          .next_observation = part_of(followed_, row, observations_),
          .reward = rewards_[row],
          .terminated = ends_[row] != 0};
}

std::vector<std::size_t> ReplayBuffer::drawn(std::uint64_t seed, std::uint64_t update, std::size_t count) const {
  RETRIAL_OPERATION("replay");
  variance::Stream draws(variance::derive(variance::derive(seed, "replay"), update));
  std::vector<std::size_t> rows(count);
  for (std::size_t& row : rows) row = variance::bounded(draws.next(), size());
  return rows;
}

void ReplayBuffer::save(nn::StateWriter& to) const {
  to.number("size", size());
  to.number("next", next_);
  for (const auto* rows : {&seen_, &done_, &followed_, &rewards_, &ends_})
    to.bytes("rows", std::as_bytes(std::span(*rows)));
}

void ReplayBuffer::load(nn::StateReader& from) {
  const std::size_t size = from.number("size");
  next_ = from.number("next");
  if (size > capacity_ || next_ >= capacity_)
    throw workloads::TrialFailure("checkpoint.damaged", "the replay buffer is larger than its capacity");
  seen_.resize(size * observations_);
  done_.resize(size * actions_);
  followed_.resize(size * observations_);
  rewards_.resize(size);
  ends_.resize(size);
  for (auto* rows : {&seen_, &done_, &followed_, &rewards_, &ends_})
    from.bytes("rows", std::as_writable_bytes(std::span(*rows)));
}

}  // namespace retrial::rl::inline agents
