#include <sys/prctl.h>

#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "harness/worker/loop.hpp"
#include "results/text/error.hpp"

namespace {

/// The front end has ended. The group holds the worker and all that a user's program has started: programs that a
/// signal to the worker alone would leave running.
void end_group(int) {
  kill(-getpid(), SIGKILL);
  _exit(1);  // not a group of its own
}

}  // namespace

int main(int argc, char** argv) {
  // The worker must not outlive its front end, however that ends.
  std::signal(SIGUSR1, end_group);
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
