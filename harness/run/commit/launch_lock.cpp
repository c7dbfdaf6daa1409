#include "harness/run/commit/launch_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "results/text/error.hpp"

namespace retrial::harness::inline run::inline commit {
namespace {

std::filesystem::path file_of(const std::filesystem::path& store, const results::Id16& launch) {
  auto file = store;
  file += ".launch-" + results::hex(launch);
  return file;
}

bool held(const std::filesystem::path& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
  close(fd);
  return locked;
}

}  // namespace

LaunchLock::LaunchLock(const std::filesystem::path& store, const results::Id16& launch)
    : file_(file_of(store, launch)), fd_(open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (fd_ < 0 || flock(fd_, LOCK_EX | LOCK_NB) != 0)
    throw Error({.exit = Exit::measurement,
                 .code = "launch.lock",
                 .where = file_.string(),
                 .problem = std::string("cannot be locked: ") + std::strerror(errno)});
}

LaunchLock::~LaunchLock() {
  std::error_code ignored;  // the next launch removes a leftover file
  std::filesystem::remove(file_, ignored);
  close(fd_);
}

bool LaunchLock::alive(const std::filesystem::path& store, const results::Id16& launch) {
  const auto file = file_of(store, launch);
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool held = flock(fd, LOCK_SH | LOCK_NB) != 0;
  if (!held) unlink(file.c_str());
  close(fd);
  return held;
}

std::size_t LaunchLock::live(const std::filesystem::path& store) {
  const std::string begin = store.filename().string() + ".launch-";
  std::size_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator at(std::filesystem::absolute(store).parent_path(), error), end;
       !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(begin) && held(at->path())) ++count;
  return count;
}

}  // namespace retrial::harness::inline run::inline commit
