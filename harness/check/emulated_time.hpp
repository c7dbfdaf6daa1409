#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace retrial::harness::inline check {

/// Time left for emulated trials, learned from those that have run: it is not known before how much slower a
/// program becomes.
class EmulatedTime {
 public:
  using Clock = std::chrono::steady_clock;
  explicit EmulatedTime(std::size_t trials, Clock::time_point (*now)() = Clock::now) : trials_(trials), now_(now) {}

  /// `done` of the trials since the last finished() have ended; a share counts as one of a trial. It never falls.
  void advanced(double done);
  void finished(std::size_t trials);
  /// ", about 4 min left for emulated trials"; ", 40 s so far" before a twentieth of the first one is done; empty
  /// before the first one starts and after the last one.
  [[nodiscard]] std::string left() const;

 private:
  std::size_t trials_, finished_ = 0;
  double running_ = 0;
  Clock::time_point (*now_)();
  Clock::time_point began_{};
};

}  // namespace retrial::harness::inline check
