#pragma once

#include <filesystem>
#include <functional>

#include "workloads/command/process/descriptor.hpp"

namespace retrial::workloads::command::inline process {

/// Keeps a folder for one trial at a time, over all launches of this machine. The kernel drops the lock with the
/// process.
class FolderLock {
 public:
  /// Waits for the folder; `waits` is called first if another trial holds it. Throws TrialFailure command.shared_folder
  /// if it cannot be opened or locked.
  FolderLock(const std::filesystem::path& folder, const std::function<void()>& waits);

 private:
  Descriptor folder_;
};

}  // namespace retrial::workloads::command::inline process
