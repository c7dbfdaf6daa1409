#include "harness/system/opened_files.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace retrial::harness::inline system {

namespace {

namespace fs = std::filesystem;

std::uint32_t mask_of(FileUse use) {
  switch (use) {
    case FileUse::read:
      return IN_CLOSE_NOWRITE;
    case FileUse::written:
      return IN_CLOSE_WRITE | IN_MOVED_TO;
    case FileUse::opened:
      break;
  }
  return IN_OPEN | IN_MOVED_TO;
}

}  // namespace

OpenedFiles::OpenedFiles(FileUse use)
    : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), mask_(mask_of(use)), complete_(fd_ >= 0) {}

OpenedFiles::~OpenedFiles() {
  if (fd_ >= 0) ::close(fd_);
}

bool OpenedFiles::begin(const fs::path& folder) {
  const int watch = ::inotify_add_watch(fd_, folder.c_str(), mask_ | IN_ONLYDIR);
  if (watch >= 0) watched_[watch] = folder;
  return watch >= 0;
}

void OpenedFiles::watch(const fs::path& folder) {
  if (fd_ < 0 || begin(folder)) return;
  if (errno == ENOENT)
    waiting_.push_back(folder);
  else
    complete_ = false;
}

void OpenedFiles::begin_waiting(std::set<fs::path>& opened) {
  std::erase_if(waiting_, [&](const fs::path& folder) {
    if (!begin(folder)) return false;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      opened.insert(entry->path());
    return true;
  });
}

std::set<fs::path> OpenedFiles::take() {
  std::set<fs::path> opened;
  if (fd_ < 0) return opened;
  begin_waiting(opened);
  alignas(inotify_event) std::array<char, 1 << 14> buffer;
  for (ssize_t got; (got = ::read(fd_, buffer.data(), buffer.size())) > 0;)
    for (const char* at = buffer.data(); at < buffer.data() + got;) {
      inotify_event event;
      std::memcpy(&event, at, sizeof event);
      const char* name = at + sizeof event;
      at += sizeof event + event.len;
      if ((event.mask & IN_Q_OVERFLOW) != 0) complete_ = false;
      const auto folder = watched_.find(event.wd);
      if (folder != watched_.end() && event.len > 0 && (event.mask & IN_ISDIR) == 0)
        opened.insert(folder->second / name);
      if ((event.mask & IN_IGNORED) != 0 && folder != watched_.end()) {  // it was removed, and may come back
        waiting_.push_back(folder->second);
        watched_.erase(folder);
      }
    }
  return opened;
}

}  // namespace retrial::harness::inline system
