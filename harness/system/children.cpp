#include "harness/system/children.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <vector>

namespace retrial::harness::inline system {
namespace {

/// Calls `with` for each child that the kernel lists: those that the first thread started, and all that were adopted.
/// A list longer than the buffer ends early; the next call sees the rest.
template <typename With>
void for_each_child(const With& with) {
  char name[64] = "/proc/self/task/";
  char* const end = std::to_chars(name + std::strlen(name), name + sizeof name - 16, ::getpid()).ptr;
  std::strcpy(end, "/children");
  const int file = ::open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char text[4096];
  const auto size = ::read(file, text, sizeof text);
  ::close(file);
  const char* const last = text + (size > 0 ? size : 0);
  pid_t child = 0;
  for (const char* at = text; at < last; ++at) {
    const auto [rest, error] = std::from_chars(at, last, child);
    // A number that the end of the buffer cuts off is another process.
    if (error == std::errc() && rest < last) with(child);
    at = rest;
  }
}

constexpr timespec pause_between{.tv_sec = 0, .tv_nsec = 1'000'000};
constexpr int most_pauses = 2000;

bool adopts = false;

/// Whether this process had children before its exec, as in `server & exec program`.
bool has_children() noexcept {
  siginfo_t ended{};
  return ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

void adopt_orphans() noexcept {
  adopts = !has_children() && ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

void end_children() noexcept {
  const int before = errno;
  for (int i = 0; i < most_pauses; ++i) {
    for_each_child([](pid_t child) { ::kill(child, SIGKILL); });
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0) break;  // there is no child left
    ::nanosleep(&pause_between, nullptr);
  }
  errno = before;
}

void end_adopted(const std::set<pid_t>& ours) {
  for (int i = 0; adopts && i < most_pauses; ++i) {
    std::vector<pid_t> adopted;
    for_each_child([&](pid_t child) {
      if (!ours.contains(child)) adopted.push_back(child);
    });
    if (adopted.empty()) return;
    for (const pid_t child : adopted) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, WNOHANG);
    }
    ::nanosleep(&pause_between, nullptr);
  }
}

}  // namespace retrial::harness::inline system
