#include "harness/system/signals.hpp"

#include <csignal>
#include <initializer_list>

namespace retrial::harness::inline system {
namespace {

volatile std::sig_atomic_t arrived = 0;
volatile std::sig_atomic_t first_signal = 0;

/// No user is left to ask twice once the terminal has been closed.
void note(int signal) {
  if (arrived == 0) first_signal = signal;
  arrived = arrived + (signal == SIGHUP ? 2 : 1);
}

bool is_ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;  // without SA_RESTART: poll returns, and the loop reacts at once
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);  // nohup ignores it
}

}  // namespace

SignalWatch::SignalWatch() {
  arrived = 0;
  first_signal = 0;
  handle(note);
}

SignalWatch::~SignalWatch() {
  handle(SIG_DFL);
}

int SignalWatch::count() {
  return arrived;
}
int SignalWatch::first() {
  return first_signal;
}

}  // namespace retrial::harness::inline system
