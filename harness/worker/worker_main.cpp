#include <sys/prctl.h>

#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "harness/system/children.hpp"
#include "harness/worker/loop.hpp"
#include "results/text/error.hpp"

namespace {

/// The front end has ended. All that the trial has started ends with it: what left the group, as daemons do, and what a
/// signal to the worker alone would leave running.
void end_group(int) {
  retrial::harness::end_children();
  kill(-getpid(), SIGKILL);
  _exit(1);  // not a group of its own
}

/// The front end ends this worker, or somebody else does.
void end_trial(int signal) {
  retrial::harness::end_children();
  std::signal(signal, SIG_DFL);
  raise(signal);  // takes effect on return
}

}  // namespace

int main(int argc, char** argv) {
  // The worker must not outlive its front end, however that ends.
  std::signal(SIGUSR1, end_group);
  std::signal(SIGTERM, end_trial);
  retrial::harness::adopt_orphans();
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
  if (argc != 4 || std::string_view(argv[1]) != "--mode" || std::string_view(argv[2]) == "") {
    std::fputs("retrial-worker is started by retrial to run trials; it has no commands of its own\n", stderr);
    return 2;
  }
  if (getppid() != std::stol(argv[3])) return 1;  // the front end ended before the line above took effect
  // Ctrl-C in a terminal reaches the whole foreground group; the front end decides what happens to the trial.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return retrial::harness::worker_loop(argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "retrial-worker: error: %s\n", error.what());
    return 5;
  }
}
