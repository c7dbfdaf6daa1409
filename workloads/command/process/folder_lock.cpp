#include "workloads/command/process/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <cerrno>
#include <cstring>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline process {

namespace {

[[noreturn]] void fail(const std::filesystem::path& folder) {
  throw TrialFailure("command.shared_folder", folder.string() + ": cannot be kept for one trial at a time (" +
                                                  std::strerror(errno) + "); write the results below $TRIAL_OUT");
}

/// False if another process holds it and `how` does not wait.
bool locked(int descriptor, int how, const std::filesystem::path& folder) {
  while (::flock(descriptor, how) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) fail(folder);
  }
  return true;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, const std::function<void()>& waits)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_.number() < 0) fail(folder);
  if (locked(folder_.number(), LOCK_EX | LOCK_NB, folder)) return;
  waits();
  (void)locked(folder_.number(), LOCK_EX, folder);
}

}  // namespace retrial::workloads::command::inline process
