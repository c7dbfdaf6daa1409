#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "variance/random/rng.hpp"

namespace retrial::results::inline store {

/// Waiting for a database that another process writes: 1, 2, 4 ... 64 ms, each plus delay x uniform, 60 s in all.
/// SQLite's own busy handler is not used: eight writers without jitter lost most of each other's inserts, and five
/// seconds did not suffice for 32. The time is the sum of the delays; no clock is read.
class BusyRetry {
 public:
  explicit BusyRetry(std::uint64_t launch_key);
  /// Sleeps once; false, without sleeping, when the 60 s are spent.
  [[nodiscard]] bool wait();

 private:
  variance::Stream stream_;
  std::chrono::microseconds delay_{1000}, waited_{0};
};

/// The sleep function of wait(); tests replace it by one that returns at once.
[[nodiscard]] std::function<void(std::chrono::microseconds)>& busy_sleep();

}  // namespace retrial::results::inline store
