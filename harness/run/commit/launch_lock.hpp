#pragma once

#include <cstddef>
#include <filesystem>

#include "results/digest/sha256.hpp"

namespace retrial::harness::inline run::inline commit {

/// Shows other processes that a launch is alive: a locked file "<store>.launch-<id>" next to the store. The kernel
/// drops the lock when the process ends, however it ends. Without it, a resume after kill -9 would wait two minutes for
/// the leases to expire. The file names the launch's folder of temporary files, so that a killed one leaves neither.
class LaunchLock {
 public:
  /// Removes what killed launches on this store have left. Throws Error{measurement} when the file cannot be created.
  LaunchLock(const std::filesystem::path& store, const results::Id16& launch,
             const std::filesystem::path& scratch = {});
  ~LaunchLock();
  LaunchLock(const LaunchLock&) = delete;
  LaunchLock& operator=(const LaunchLock&) = delete;

  /// False when no process holds the file of this launch; a leftover file is removed.
  [[nodiscard]] static bool alive(const std::filesystem::path& store, const results::Id16& launch);

  /// Number of launches that are running on a store right now. Removes nothing.
  [[nodiscard]] static std::size_t live(const std::filesystem::path& store);

 private:
  std::filesystem::path file_;
  int fd_ = -1;
};

}  // namespace retrial::harness::inline run::inline commit
