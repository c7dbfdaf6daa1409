#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "variance/random/rng.hpp"

namespace retrial::results::inline store {

/// Waits for a database that another process is writing: 1, 2, 4 ... 64 ms, each plus delay x uniform, 60 s in total.
/// SQLite's own busy handler is not used: without jitter, eight writers blocked most of each other's inserts, and five
/// seconds were not enough for 32 writers. The time is the sum of the delays; no clock is read.
class BusyRetry {
 public:
  explicit BusyRetry(std::uint64_t launch_key);
  /// Sleeps once; returns false, without sleeping, when the 60 s are used up.
  [[nodiscard]] bool wait();

 private:
  variance::Stream stream_;
  std::chrono::microseconds delay_{1000}, waited_{0};
};

/// The sleep function of wait(); tests replace it with one that returns at once.
[[nodiscard]] std::function<void(std::chrono::microseconds)>& busy_sleep();

}  // namespace retrial::results::inline store
