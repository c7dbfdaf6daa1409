#include "workloads/command/process/starts.hpp"

#include "tests/catch.hpp"
#include "workloads/command/process/process.hpp"

namespace retrial::tests::starts_tests {

using namespace retrial::workloads::command;

namespace {

Finished noticed(const std::string& script) {
  return run_program({.argv = {"sh", "-c", script},
                      .environment = {"PATH=/nowhere:/bin:/usr/bin"},
                      .workdir = {},
                      .notice_starts = true});
}

/// False where the kernel does not say, and a line for the reader then.
bool can_notice() {
  if (noticed(":").started) return true;
  WARN("left out: this kernel (or container) gives no notice of started programs");
  return false;
}

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("a program that starts no other is said to start none, its own start is not one", "[needs-seccomp]") {
  if (!can_notice()) return;
  CHECK(noticed("echo $((1 + 1))").started == Names{});
  // A fork stays in the program.
  CHECK(noticed("(echo $((1 + 1))) & wait").started == Names{});
}

TEST_CASE("every program below it is noticed, however short, failed searches are not", "[needs-seccomp]") {
  if (!can_notice()) return;
  CHECK(noticed("true_is_a_builtin=1; /bin/ls / > /dev/null; for i in 1 2 3; do /bin/cat /dev/null; done").started ==
        Names{"/bin/ls", "/bin/cat"});
  const auto deep = noticed("/bin/sh -c '/bin/sh -c \"env cat /dev/null; :\"; :'");
  REQUIRE(deep.started);
  CHECK(deep.started->contains("/bin/sh"));
  // env looks in PATH, of which the first folder does not exist.
  CHECK_FALSE(deep.started->contains("/nowhere/cat"));
  CHECK(deep.started->contains("/bin/cat"));
  CHECK(noticed("exec /bin/cat /dev/null").started == Names{"/bin/cat"});
}

TEST_CASE("a program with a closed output starts others and ends", "[needs-seccomp]") {
  if (!can_notice()) return;
  const auto seen = noticed("exec >&- 2>&-; /bin/cat /dev/null; exit 7");
  CHECK(seen.exit_code == 7);
  CHECK(seen.started == Names{"/bin/cat"});
}

TEST_CASE("a program in the background does not keep the end waiting", "[needs-seccomp]") {
  if (!can_notice()) return;
  const auto seen = noticed("(/bin/sleep 0.2; /bin/cat /dev/null) > /dev/null 2>&1 & exit 5");
  CHECK(seen.exit_code == 5);
  CHECK(seen.wall_s < 60);
}

TEST_CASE("without being asked, nothing is noticed") {
  CHECK_FALSE(run_program({{"sh", "-c", "/bin/cat /dev/null"}, {}, {}}).started);
}

}  // namespace retrial::tests::starts_tests
