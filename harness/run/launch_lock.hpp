#pragma once

#include <cstddef>
#include <filesystem>

#include "results/digest/sha256.hpp"

namespace retrial::harness::inline run {

/// Shows others that a launch is alive: a locked file "<store>.launch-<id>" beside the store. The kernel drops the lock
/// when the process ends, however it ends; waiting for leases to run out would cost a resume two minutes after kill -9.
class LaunchLock {
 public:
  /// Throws Error{measurement} when the file cannot be made.
  LaunchLock(const std::filesystem::path& store, const results::Id16& launch);
  ~LaunchLock();
  LaunchLock(const LaunchLock&) = delete;
  LaunchLock& operator=(const LaunchLock&) = delete;

  /// False when nobody holds the file of this launch; a file left behind is removed.
  [[nodiscard]] static bool alive(const std::filesystem::path& store, const results::Id16& launch);

  /// How many launches are at work on a store right now. Removes nothing.
  [[nodiscard]] static std::size_t live(const std::filesystem::path& store);

 private:
  std::filesystem::path file_;
  int fd_ = -1;
};

}  // namespace retrial::harness::inline run
