#include "workloads/command/process/process.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "determinism/meter/instruction_counter.hpp"
#include "workloads/command/process/spawn.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline process {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kib_in_mib = 1024;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// The peak so far in KiB, as the kernel reports it for a living process; 0 after its end.
long high_water_kib(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::atol(line.c_str() + 6);
  return 0;
}

long own_peak_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Follows one child: its output, its peak, its end.
class Watch {
 public:
  Watch(Child child, Clock::time_point start, const Launch& launch, const determinism::InstructionCounter& counter)
      : child_(std::move(child)),
        start_(start),
        patience_(launch.patience),
        heard_(launch.heard),
        collect_orphans_(launch.collect_orphans),
        counter_(counter),
        floor_kib_(own_peak_kib()) {}

  Finished until_end() {
    while (!ended_) {
      // A closed output would end every pause at once; without starts to wait for, its reader waits for the end.
      pollfd entries[] = {{closed_ ? -1 : child_.output.number(), POLLIN, 0}, {child_.starts.descriptor(), POLLIN, 0}};
      ::poll(entries, 2, pause_ms_);
      if ((entries[1].revents & POLLIN) != 0) child_.starts.take();
      sample();
      if (patience_.count() > 0 && Clock::now() - start_ > patience_) ::kill(child_.pid, SIGKILL);
      report();
      closed_ = closed_ || !read_some();
      reap(closed_ && !child_.starts.known() ? 0 : WNOHANG);
    }
    drain();
    if (child_.starts.known()) result_.started = child_.starts.programs();
    return std::move(result_);
  }

 private:
  /// Pauses grow, so that short programs are sampled often and long ones cost little.
  void sample() {
    if (Clock::now() < next_sample_) return;
    sampled_kib_ = std::max(sampled_kib_, high_water_kib(child_.pid));
    if (collect_orphans_) collect_orphans();
    pause_ms_ = std::min(2 * pause_ms_, 50);
    next_sample_ = Clock::now() + std::chrono::milliseconds(pause_ms_);
  }

  /// Up to the program itself, whose status belongs to reap().
  void collect_orphans() const {
    for (siginfo_t ended{}; ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0; ended = {})
      if (ended.si_pid == 0 || ended.si_pid == child_.pid || ::waitpid(ended.si_pid, nullptr, WNOHANG) <= 0) return;
  }

  /// False: every writer has closed the other end.
  bool read_some() {
    static thread_local std::array<char, 1 << 16> buffer;
    const auto got = ::read(child_.output.number(), buffer.data(), buffer.size());
    if (got > 0) take({buffer.data(), static_cast<std::size_t>(got)});
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    return got > 0;
  }

  void take(std::string_view piece) {
    result_.output.append(piece);
    constexpr std::size_t line = 1000;
    if (heard_) unheard_ = piece.substr(piece.size() - std::min(piece.size(), line));
  }

  void report() {
    constexpr auto pause = std::chrono::milliseconds(250);
    if (unheard_.empty() || Clock::now() < next_report_) return;
    next_report_ = Clock::now() + pause;
    heard_(std::exchange(unheard_, {}));
  }

  void reap(int options) {
    int status = 0;
    rusage usage{};
    const auto got = ::wait4(child_.pid, &status, options, &usage);
    if (got < 0 && errno != EINTR)
      throw TrialFailure("command.start", "the program's exit status was collected by another wait");
    if (got != child_.pid) return;
    ended_ = true;
    result_.wall_s = std::chrono::duration<double>(Clock::now() - start_).count();
    result_.instructions = counter_.of_descendants();
    result_.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    result_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    const long peak = usage.ru_maxrss > floor_kib_ ? usage.ru_maxrss : sampled_kib_;
    if (peak > 0) result_.peak_rss_mib = static_cast<double>(peak) / kib_in_mib;
  }

  /// Reads what was printed just before the end. Bounded, because a process left in the background may write forever.
  void drain() {
    constexpr int pipes_full = 32;
    for (int i = 0; i < pipes_full; ++i) {
      pollfd entry{child_.output.number(), POLLIN, 0};
      if (::poll(&entry, 1, 0) <= 0 || !read_some()) return;
    }
  }

  Child child_;
  Clock::time_point start_, next_sample_{}, next_report_ = start_ + std::chrono::milliseconds(250);
  std::chrono::milliseconds patience_;
  const std::function<void(std::string_view)>& heard_;
  bool collect_orphans_;
  const determinism::InstructionCounter& counter_;
  std::string unheard_;  ///< the end of what was printed since the last report
  long floor_kib_, sampled_kib_ = 0;
  int pause_ms_ = 1;
  bool ended_ = false, closed_ = false;
  Finished result_;
};

}  // namespace

Finished run_program(const Launch& launch) {
  const determinism::InstructionCounter counter;
  const auto start = Clock::now();
  return Watch(spawn(launch), start, launch, counter).until_end();
}

}  // namespace retrial::workloads::command::inline process
