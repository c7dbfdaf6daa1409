#include "workloads/null/failure.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmath>
#include <csignal>
#include <functional>

#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"

namespace retrial::tests::null_failure_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

Trial failing(const std::string& how, const Values& more = {}) {
  Values values{{"failure", how}};
  values.insert(more.begin(), more.end());
  return trial_of("null", values);
}

struct Seen {
  int status = 0;
  std::string output;
};

std::string all_of(int descriptor, std::size_t most = std::size_t{1} << 20) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; text.size() < most && (got = ::read(descriptor, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

/// Runs the trial in a process of its own; what it writes to `descriptor` is kept. `meanwhile` is told its id.
Seen in_child(
    const Trial& trial, int descriptor, const std::function<void(pid_t)>& meanwhile = [](pid_t) {}) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int nothing = ::open("/dev/null", O_WRONLY);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
    ::dup2(ends[1], descriptor);
    for (int each = descriptor > 2 ? descriptor + 1 : 3; each < 64; ++each) ::close(each);
    try {
      (void)run_to_end(trial);
    } catch (...) {
      std::_Exit(99);
    }
    std::_Exit(0);
  }
  ::close(ends[1]);
  meanwhile(pid);
  Seen seen{.output = all_of(ends[0])};
  ::close(ends[0]);
  REQUIRE(::waitpid(pid, &seen.status, 0) == pid);
  return seen;
}

/// The state letter of a process, after its name in parentheses.
char state_of(pid_t pid) {
  const int file = ::open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY);
  const auto text = all_of(file);
  ::close(file);
  const auto end = text.rfind(')');
  return end == std::string::npos ? '?' : text.at(end + 2);
}

/// Sleeping in pause(): what a hang looks like from outside.
void wait_until_asleep_then_kill(pid_t pid) {
  for (int i = 0; i < 2'000'000 && state_of(pid) != 'S'; ++i) ::sched_yield();
  ::kill(pid, SIGTERM);
}

}  // namespace

TEST_CASE("a thrown failure is a TrialFailure of its own kind") {
  try {
    (void)run_to_end(failing("throw"));
    FAIL("went on");
  } catch (const TrialFailure& failure) {
    CHECK(failure.kind == "null.thrown");
  }
}

TEST_CASE("a failure happens in the epoch it is asked for") {
  LogRecorder log;
  const auto run =
      find_start("null")(failing("throw", {{"epochs", std::int64_t{4}}, {"failure_at", std::int64_t{2}}}), {});
  CHECK(run->advance(log));
  CHECK(run->advance(log));
  CHECK_THROWS_AS(run->advance(log), TrialFailure);
}

TEST_CASE("processes end as the failure says") {
  CHECK(WEXITSTATUS(in_child(failing("exit"), 5).status) == 3);
  CHECK(WTERMSIG(in_child(failing("crash"), 5).status) == SIGSEGV);
  CHECK(WTERMSIG(in_child(failing("kill"), 5).status) == SIGKILL);
  CHECK(in_child(failing("none"), 5).status == 0);
}

TEST_CASE("a hang lasts until a signal ends it") {
  CHECK(WTERMSIG(in_child(failing("hang"), 5, wait_until_asleep_then_kill).status) == SIGTERM);
}

TEST_CASE("memory is allocated and held until a signal ends it") {
  const auto trial = failing("memory", {{"failure_mib", std::int64_t{8}}});
  CHECK(WTERMSIG(in_child(trial, 5, wait_until_asleep_then_kill).status) == SIGTERM);
}

TEST_CASE("nonsense reaches the protocol's descriptor and the trial continues") {
  const auto seen = in_child(failing("nonsense"), 4);
  CHECK(seen.status == 0);
  CHECK_THAT(seen.output, has_text("nonsense"));
  CHECK(seen.output.find('\0') != std::string::npos);
}

TEST_CASE("noise fills more than 64 KiB of stdout and of stderr and the trial continues") {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    const auto seen = in_child(failing("noise"), descriptor);
    CHECK(seen.status == 0);
    CHECK(seen.output.size() == 1024 * 100);
  }
}

TEST_CASE("a diverged trial is evaluated unchanged") {
  const auto log = run_to_end(
      failing("diverge", {{"epochs", std::int64_t{3}}, {"failure_at", std::int64_t{1}}, {"items", std::int64_t{10}}}));
  CHECK(log.diverged_at == 4);
  CHECK(std::isnan(log.final_value("score")));
  CHECK(log.final_value("accuracy") == 0.0);
  CHECK_FALSE(std::isnan(log.metrics.at(0).value));
  CHECK(std::isnan(log.metrics.at(1).value));
}

// 2,000 draws at 30 %: outside of 600 +- 82 (4 standard deviations) once in 16,000.
TEST_CASE("a share of the pairs fails, drawn from a source of its own") {
  int chosen = 0;
  for (std::uint64_t pair = 0; pair < 2000; ++pair)
    chosen += null::is_chosen(trial_of("null", {{"failure", std::string{"throw"}}, {"failure_share", 0.3}}, 5, pair));
  CHECK(std::abs(chosen - 600) < 82);
  CHECK_FALSE(null::is_chosen(failing("none")));
  CHECK_FALSE(null::is_chosen(failing("throw", {{"failure_share", 0.0}})));
}

}  // namespace retrial::tests::null_failure_tests
