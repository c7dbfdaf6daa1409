#include "harness/run/commit/launch_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "harness/system/own_folder.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline run::inline commit {
namespace {

std::filesystem::path file_of(const std::filesystem::path& store, const results::Id16& launch) {
  auto file = store;
  file += ".launch-" + results::hex(launch);
  return file;
}

std::vector<std::filesystem::path> launch_files(const std::filesystem::path& store) {
  const std::string begin = store.filename().string() + ".launch-";
  std::vector<std::filesystem::path> out;
  std::error_code error;
  for (std::filesystem::directory_iterator at(std::filesystem::absolute(store).parent_path(), error), end;
       !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(begin)) out.push_back(at->path());
  return out;
}

/// "<device> <number> <path>": another folder that has this name meanwhile is not removed.
std::string scratch_line(const std::filesystem::path& folder) {
  struct stat facts {};
  if (::lstat(folder.c_str(), &facts) != 0) return "";
  return std::to_string(facts.st_dev) + " " + std::to_string(facts.st_ino) + " " + folder.string();
}

bool is_ours(const struct stat& facts) {
  return facts.st_uid == ::geteuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Only a folder that this user's launch has made: a store may come from anybody, and a lock file beside it, too.
void remove_scratch(int fd) {
  struct stat lock {};
  if (::fstat(fd, &lock) != 0 || !is_ours(lock)) return;
  std::string line(4096, '\0');
  line.resize(static_cast<std::size_t>(std::max<ssize_t>(::pread(fd, line.data(), line.size(), 0), 0)));
  const std::filesystem::path path = line.substr(std::min(line.find('/'), line.size()));
  const auto name = path.filename().string();
  if (path.empty() || line != scratch_line(path) || name.size() != 14 || !name.starts_with("retrial-")) return;
  if (!is_own_folder(path)) return;
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

/// True if no process holds the file any more; it is removed then, with its folder.
bool remove_if_dead(const std::filesystem::path& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return true;
  const bool dead = flock(fd, LOCK_SH | LOCK_NB) == 0;
  if (dead) {
    remove_scratch(fd);
    unlink(file.c_str());
  }
  close(fd);
  return dead;
}

/// Another launch that looks for leftovers may have taken the file for one before it was locked: then it is made again.
int locked(const std::filesystem::path& file) {
  for (int tries = 0; tries < 100; ++tries) {
    struct stat ours {
    }, named{};
    const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0 || flock(fd, LOCK_EX) != 0) break;
    if (::fstat(fd, &ours) == 0 && ::stat(file.c_str(), &named) == 0 && ours.st_ino == named.st_ino) return fd;
    close(fd);
  }
  throw Error({.exit = Exit::measurement,
               .code = "launch.lock",
               .where = file.string(),
               .problem = std::string("cannot be locked: ") + std::strerror(errno)});
}

bool held(const std::filesystem::path& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
  close(fd);
  return locked;
}

}  // namespace

LaunchLock::LaunchLock(const std::filesystem::path& store, const results::Id16& launch,
                       const std::filesystem::path& scratch)
    : file_(file_of(store, launch)), fd_(locked(file_)) {
  const auto text = scratch_line(scratch);
  static_cast<void>(!::write(fd_, text.data(), text.size()));  // without it the folder stays if this process is killed
  for (const auto& file : launch_files(store))
    if (file != file_) remove_if_dead(file);
}

LaunchLock::~LaunchLock() {
  std::error_code ignored;  // the next launch removes a leftover file
  std::filesystem::remove(file_, ignored);
  close(fd_);
}

bool LaunchLock::alive(const std::filesystem::path& store, const results::Id16& launch) {
  return !remove_if_dead(file_of(store, launch));
}

std::size_t LaunchLock::live(const std::filesystem::path& store) {
  const auto files = launch_files(store);
  return static_cast<std::size_t>(std::ranges::count_if(files, held));
}

}  // namespace retrial::harness::inline run::inline commit
