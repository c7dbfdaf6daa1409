// What ends a run of somebody's program from outside: a signal, the end of the terminal, silence.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

#include "results/store/store.hpp"

namespace retrial::tests::interruption_tests {

using retrial::results::Store;

namespace {

std::vector<std::string> line_of(const Folder& folder, const std::string& script,
                                 const std::vector<std::string>& more = {}, const std::string& pairs = "3") {
  write_file(folder / "p.sh", script + "\n");
  std::vector<std::string> line{"run",     "--command", "sh p.sh {seed}", "--read", "acc",    "--higher",
                                "--pairs", pairs,       "--seed",         "1",      "--jobs", "1",
                                "--json"};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

/// A named pipe: opening one end blocks until the other is open, so no test has to guess a time.
std::string pipe_in(const Folder& folder, const std::string& name) {
  const auto path = folder / name;
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  return path;
}

/// A process that is no child of this one.
class Process {
 public:
  explicit Process(const std::string& ready) {
    int pid = 0;
    std::ifstream(ready) >> pid;
    descriptor_ = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  }
  ~Process() { ::close(descriptor_); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  [[nodiscard]] bool known() const { return descriptor_ >= 0; }
  [[nodiscard]] bool ends() const {
    pollfd entry{descriptor_, POLLIN, 0};
    return ::poll(&entry, 1, 20'000) == 1;
  }

 private:
  int descriptor_ = -1;
};

const std::string with_grandchild = "sleep 1000 & echo $! > ready; wait; echo acc=1";
/// In a session of its own, and no child of the program: what a signal to the group does not reach.
const std::string with_daemon =
    "(setsid sh -c 'echo $$ > ready; exec sleep 1000' > /dev/null 2>&1 &)\nsleep 1000; echo acc=1";

}  // namespace

TEST_CASE("what a program has started ends with the front end, killed or closed with its terminal") {
  for (const auto& script : {with_grandchild, with_daemon})
    for (const int number : {SIGKILL, SIGHUP}) {
      CAPTURE(script, number);
      const Folder folder;
      const auto ready = pipe_in(folder, "ready");
      Program program(folder, line_of(folder, script));
      const Process grandchild(ready);
      REQUIRE(grandchild.known());
      program.signal(number);
      CHECK(program.wait().code == 128 + number);
      CHECK(grandchild.ends());
    }
}

TEST_CASE("a daemon ends with the trial that started it, also when the trial fails, hangs or grows too large") {
  // The next trial of the same worker finds no process of the one before.
  const std::string daemon =
      "[ ! -e last ] || ! kill -0 $(cat last) 2> /dev/null || exit 7\nrm -f last\n"
      "(setsid sh -c 'echo $$ > new; mv new last; exec sleep 1000' > /dev/null 2>&1 &)\n"
      "until [ -e last ]; do sleep .01; done\n";
  struct Case {
    const char* end;
    std::vector<std::string> options;
    int code;
    const char* said;
  };
  for (const auto& [end, options, code, said] :
       std::vector<Case>{{"echo acc=.$1", {}, 0, ""},
                         {"exit 3", {"--keep-going"}, 5, "exited with 3"},
                         {"echo begun; sleep 1000", {"--keep-going", "--timeout", "1"}, 5, "worker.timeout"},
                         {"x=$(head -c 100000000 /dev/zero | tr '\\0' x); sleep 1000",
                          {"--keep-going", "--max-memory", "64"},
                          5,
                          "memory.oom"}}) {
    CAPTURE(end);
    const Folder folder;
    const auto ran = run_retrial(folder, line_of(folder, daemon + end, options, "2"));
    INFO(ran.out << ran.err);
    CHECK(ran.code == code);
    CHECK_THAT(ran.err, has_text(said));
    CHECK_THAT(ran.err, !has_text("exited with 7"));
    int pid = 0;
    std::ifstream(folder / "last") >> pid;
    REQUIRE(pid > 0);
    CHECK(::kill(pid, 0) == -1);
  }
}

TEST_CASE("a daemon ends with its worker, killed by somebody else while another trial goes on") {
  const Folder folder;
  const auto ready = pipe_in(folder, "ready");
  // The first trial starts a daemon in a session of its own and kills its worker; the second one goes on.
  auto line = line_of(folder,
                      "[ $2 = 0 ] || { echo acc=1; exit; }\n"
                      "(setsid sh -c 'echo > up; echo $$ > ready; exec sleep 1000' > /dev/null 2>&1 &)\n"
                      "until [ -e up ]; do sleep .01; done\nkill -9 $PPID; sleep 1000",
                      {"--keep-going"}, "2");
  line[2] += " {pair}";
  Program program(folder, line);
  const Process daemon(ready);
  REQUIRE(daemon.known());
  CHECK(daemon.ends());
  const auto ran = program.wait();
  INFO(ran.out << ran.err);
  CHECK(ran.code == 5);
  CHECK_THAT(ran.err, has_text("worker.died: killed by signal 9"));
}

TEST_CASE("a first Ctrl-C says that it waits, and the running trial is finished and stored") {
  const Folder folder;
  const auto ready = pipe_in(folder, "ready"), go = pipe_in(folder, "go");
  Program program(folder, line_of(folder, "echo $$ > ready; cat go; echo acc=1"));
  const Process running(ready);
  program.signal(SIGINT);
  REQUIRE(program.until_stderr("finishing 1 running trial; press Ctrl-C again"));
  write_file(go, "on\n");
  const auto ran = program.wait();
  INFO(ran.out << ran.err);
  CHECK(ran.code == 130);
  CHECK(field(ran.out, "finished") == "1");
  CHECK(field(ran.out, "unfinished") == "2");
}

TEST_CASE("--grace bounds the time that a first signal leaves") {
  const Folder folder;
  const auto ready = pipe_in(folder, "ready");
  Program program(folder, line_of(folder, with_grandchild, {"--grace", "1"}));
  const Process grandchild(ready);
  program.signal(SIGTERM);
  REQUIRE(program.until_stderr("finishing 1 running trial for at most 1 s"));
  const auto ran = program.wait();
  INFO(ran.out << ran.err);
  CHECK(ran.code == 143);
  CHECK(grandchild.ends());
  CHECK(field(ran.out, "unfinished") == "3");
}

TEST_CASE("output is a sign of life: --timeout stops a silent program only") {
  const Folder folder;
  const auto chatty =
      run_retrial(folder, line_of(folder, "for i in 1 2 3 4 5 6; do sleep .4; echo epoch $i; done; echo acc=.$1",
                                  {"--timeout", "1", "--db", "chatty.db"}, "1"));
  INFO(chatty.out << chatty.err);
  CHECK(chatty.code == 0);
  const auto silent = run_retrial(folder, line_of(folder, "echo begun; sleep .5; echo epoch 1; sleep 1000",
                                                  {"--timeout", "1", "--db", "silent.db"}));
  INFO(silent.err);
  CHECK(silent.code == 5);
  CHECK_THAT(silent.err, has_text("worker.timeout: printed nothing for 1 s; the last it reported: epoch 1"));
}

}  // namespace retrial::tests::interruption_tests
