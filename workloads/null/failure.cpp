#include "workloads/null/failure.hpp"

#include <sys/resource.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "variance/random/rng.hpp"

namespace retrial::workloads::null {

namespace {

constexpr int protocol_descriptor = 4;  // the worker's replies
constexpr int exit_code = 3;

/// Writes to a descriptor of the worker, past any buffer. A closed or full descriptor is ignored.
void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const auto written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

void throw_failure(const Trial&) {
  throw TrialFailure("null.thrown", "this trial was configured to fail");
}

void exit_now(const Trial&) {
  std::_Exit(exit_code);
}

void crash(const Trial&) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
}

void kill_itself(const Trial&) {
  ::kill(::getpid(), SIGKILL);
}

[[noreturn]] void wait_for_a_signal() {
  for (;;) ::pause();
}

void hang(const Trial&) {
  wait_for_a_signal();
}

// Held, not grown without end: the watchdog of the harness must act before that of the machine.
void fill_memory(const Trial& trial) {
  constexpr std::size_t mib = std::size_t{1} << 20;
  std::vector<std::vector<char>> held;
  for (std::int64_t i = 0; i < trial.integer("failure_mib"); ++i) held.emplace_back(mib, 'x');
  wait_for_a_signal();
}

void talk_nonsense(const Trial&) {
  using namespace std::string_literals;
  write_all(protocol_descriptor, "\xff\xfe{\"v\": 1, \"finished\": \n\0nonsense\n[[[[\n{}\n"s);
}

void make_noise(const Trial&) {
  std::string line(99, '.');
  line += '\n';
  for (int i = 0; i < 1024; ++i) {
    write_all(STDOUT_FILENO, line);
    write_all(STDERR_FILENO, line);
  }
}

void nothing(const Trial&) {}

struct Way {
  const char* name;
  void (*act)(const Trial&);
};
constexpr Way ways[] = {
    {"throw", throw_failure}, {"exit", exit_now},      {"crash", crash},     {"kill", kill_itself},
    {"hang", hang},           {"memory", fill_memory}, {"diverge", nothing}, {"nonsense", talk_nonsense},
    {"noise", make_noise}};

}  // namespace

bool is_chosen(const Trial& trial) {
  if (trial.text("failure") == "none") return false;
  const double share = trial.number("failure_share");
  if (share >= 1) return true;
  return variance::uniform(variance::Stream(trial.seed("failure")).next()) < share;
}

void fail(const Trial& trial) {
  for (const auto& way : ways)
    if (trial.text("failure") == way.name) way.act(trial);
}

}  // namespace retrial::workloads::null
