#include "harness/system/children.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "tests/catch.hpp"

namespace retrial::tests::children_tests {

namespace {

/// The exit code of a process that does this; a test program of its own has children that it needs.
template <typename Body>
int in_process(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) std::_Exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A process below this one in a session of its own, whose parent has ended: the id of that orphan.
pid_t daemon() {
  int ends[2];
  if (::pipe(ends) != 0) return -1;
  const pid_t parent = ::fork();
  if (parent == 0) {
    const pid_t child = ::fork();
    if (child != 0) std::_Exit(0);
    ::setsid();
    const pid_t own = ::getpid();
    (void)!::write(ends[1], &own, sizeof own);
    for (;;) ::pause();
  }
  ::waitpid(parent, nullptr, 0);
  pid_t orphan = -1;
  (void)!::read(ends[0], &orphan, sizeof orphan);
  return orphan;
}

}  // namespace

TEST_CASE("children end with all that they started, orphans in other sessions too") {
  CHECK(in_process([] {
          harness::adopt_orphans();
          const pid_t orphan = daemon();
          for (int i = 0; i < 1000; ++i)  // more than one reading of the kernel's list
            if (::fork() == 0)
              for (;;) ::pause();
          harness::end_children();
          if (::kill(orphan, 0) == 0) return 1;
          return ::waitpid(-1, nullptr, WNOHANG) == -1 ? 0 : 2;
        }) == 0);
}

TEST_CASE("adopted orphans end with all that they started, our own children go on") {
  CHECK(in_process([] {
          harness::adopt_orphans();
          const pid_t ours = ::fork();
          if (ours == 0)
            for (;;) ::pause();
          const pid_t orphan = daemon();
          harness::end_adopted({ours});
          const bool right = ::kill(orphan, 0) != 0 && ::kill(ours, 0) == 0;
          ::kill(ours, SIGKILL);
          return right ? 0 : 1;
        }) == 0);
}

TEST_CASE("a process that has children when it begins adopts nobody: they may be another program's") {
  CHECK(in_process([] {
          const pid_t theirs = ::fork();
          if (theirs == 0)
            for (;;) ::pause();
          harness::adopt_orphans();
          harness::end_adopted({});
          const bool alive = ::kill(theirs, 0) == 0;
          ::kill(theirs, SIGKILL);
          return alive ? 0 : 1;
        }) == 0);
}

TEST_CASE("an orphan that was not adopted is out of reach, and no children are no wait") {
  CHECK(in_process([] {
          const pid_t orphan = daemon();
          harness::end_children();
          const bool alive = ::kill(orphan, 0) == 0;
          ::kill(orphan, SIGKILL);
          return alive ? 0 : 1;
        }) == 0);
}

}  // namespace retrial::tests::children_tests
