#include "harness/gate/calibration/hogs.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include "results/text/error.hpp"

namespace retrial::harness::inline gate::inline calibration {
namespace {

[[noreturn]] void be_busy(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  std::signal(SIGINT, SIG_IGN);  // the parent ends this one
  volatile unsigned turns = 0;
  while (true) turns = turns + 1;
}

}  // namespace

Hogs::Hogs(int count) {
  const pid_t parent = ::getpid();
  for (int i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    if (child == 0) be_busy(parent);
    if (child < 0)
      throw Error({.exit = Exit::measurement, .code = "calibrate.hogs", .problem = "a busy process cannot be started"});
    running_.push_back(child);
  }
}

Hogs::~Hogs() {
  for (const pid_t child : running_) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
}

}  // namespace retrial::harness::inline gate::inline calibration
