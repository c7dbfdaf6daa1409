#include "workloads/command/process/process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::tests::process_tests {

using namespace retrial;
using namespace retrial::workloads;
using namespace retrial::workloads::command;

namespace {

Finished sh(const std::string& script) {
  return run_program({{"sh", "-c", script}, {"PATH=/usr/bin:/bin"}, {}});
}

std::string kind_of_failure(const Launch& launch) {
  try {
    (void)run_program(launch);
  } catch (const TrialFailure& failure) {
    return failure.kind;
  }
  return "none";
}

}  // namespace

TEST_CASE("a program's output, end and costs come back") {
  const auto seen = sh("echo out; echo err >&2; exit 3");
  CHECK(seen.output.text() == "out\nerr\n");
  CHECK(seen.exit_code == 3);
  CHECK_FALSE(seen.signal);
  CHECK(seen.wall_s > 0);
  CHECK(seen.cpu_s >= 0);
}

TEST_CASE("a program ended by a signal says which") {
  const auto seen = sh("echo before; kill -9 $$");
  CHECK(seen.signal == SIGKILL);
  CHECK(seen.output.text() == "before\n");
}

TEST_CASE("standard input is empty") {
  CHECK(sh("wc -c").output.text() == "0\n");
}

TEST_CASE("nothing of ours is open in the program") {
  const int ours = ::dup(STDOUT_FILENO);
  REQUIRE(::fcntl(ours, F_SETFD, 0) == 0);
  CHECK(sh("ls /proc/$$/fd").output.text() == "0\n1\n2\n");
  ::close(ours);
}

TEST_CASE("the program stays in our process group") {
  const auto seen = sh("ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/$$/stat");
  CHECK(std::stoi(seen.output.text()) == ::getpgrp());
}

TEST_CASE("the program dies when the process that started it is killed") {
  const test::Folder folder;
  const auto file = folder.path() / "pid";
  const pid_t starter = ::fork();
  if (starter == 0) {
    (void)sh("echo $$ > " + file.string() + ".new; mv " + file.string() + ".new " + file.string() + "; exec sleep 600");
    std::_Exit(0);
  }
  while (!std::filesystem::exists(file)) ::sched_yield();
  pid_t program = 0;
  std::ifstream(file) >> program;
  REQUIRE(program > 0);
  ::kill(starter, SIGKILL);
  ::waitpid(starter, nullptr, 0);
  // Whoever inherits it may be slow to collect it: a zombie has died too.
  const auto is_alive = [&] {
    std::string state, line;
    std::ifstream status("/proc/" + std::to_string(program) + "/status");
    while (std::getline(status, line))
      if (line.starts_with("State:")) state = line;
    return !state.empty() && state.find('Z') == std::string::npos;
  };
  for (int i = 0; i < 1'000'000 && is_alive(); ++i) ::sched_yield();
  CHECK_FALSE(is_alive());
}

TEST_CASE("signals that we ignore are not ignored in the program") {
  const auto before = std::signal(SIGTERM, SIG_IGN);
  const auto seen = sh("kill -TERM $$; echo survived");
  std::signal(SIGTERM, before);
  CHECK(seen.signal == SIGTERM);
}

TEST_CASE("a program that prints hundreds of megabytes costs no memory") {
  const auto seen = sh("head -c 300000000 /dev/zero | tr '\\0' 'x'; echo; echo 'score = 5'");
  CHECK(seen.exit_code == 0);
  CHECK(seen.output.text() == "score = 5\n");
}

TEST_CASE("a process left in the background does not hold up the trial") {
  const auto seen = sh("sleep 600 & echo $!");
  CHECK(seen.wall_s < 300);
  CHECK(::kill(std::stoi(seen.output.text()), SIGKILL) == 0);
}

TEST_CASE("a program that closes its output and continues is waited for") {
  const auto seen = sh("exec >/dev/null 2>&1; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 4");
  CHECK(seen.exit_code == 4);
}

TEST_CASE("the peak of a program is its own, not that of the process that started it") {
  std::vector<char> large(std::size_t{256} << 20, 'x');
  const auto seen = sh("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
  REQUIRE(seen.peak_rss_mib);
  CHECK(*seen.peak_rss_mib < 50);
  CHECK(large.back() == 'x');
}

TEST_CASE("a missing program and one that cannot run are distinguished") {
  CHECK(kind_of_failure({{"no-such-program-7"}, {}, {}}) == "command.not_found");
  CHECK(kind_of_failure({{"./no-such-program-7"}, {}, {}}) == "command.not_found");
  CHECK(kind_of_failure({{""}, {}, {}}) == "command.not_found");
  CHECK(kind_of_failure({{"/"}, {}, {}}) == "command.not_found");
  CHECK(kind_of_failure({{"true"}, {}, "/no/such/folder"}) == "command.workdir");
}

TEST_CASE("a program is found through PATH as execvp finds it, and scripts without #! run") {
  const test::Folder folder;
  std::ofstream(folder.path() / "tool") << "echo hello $1\n";
  CHECK(kind_of_failure({{"./tool"}, {}, folder.path()}) == "command.not_executable");
  std::filesystem::permissions(folder.path() / "tool", std::filesystem::perms::owner_all);
  CHECK(run_program({{"./tool", "you"}, {}, folder.path()}).output.text() == "hello you\n");
  CHECK(program_file("sh", {}).value().filename() == "sh");
  CHECK_FALSE(program_file("tool", folder.path()));
  CHECK(program_file("./tool", folder.path()) == folder.path() / "./tool");
}

}  // namespace retrial::tests::process_tests
