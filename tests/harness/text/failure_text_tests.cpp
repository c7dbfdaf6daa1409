// The message of a failed trial: the reason first.
#include "harness/text/failure_text.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::failure_text_tests {

using namespace retrial::harness;

namespace {

/// As CPython 3.11 prints an uncaught exception, behind what the workload `command` writes.
const std::string raised =
    "command.exit: `python3 t.py --seed 5` exited with 1; last lines:\n"
    "  epoch 1\n"
    "  Traceback (most recent call last):\n"
    "    File \"/t.py\", line 4, in <module>\n"
    "      raise ValueError(\"lr < 0\")\n"
    "  ValueError: lr < 0";

}  // namespace

TEST_CASE("the exception of a traceback is the reason, and its lines keep their own indentation") {
  const auto failure = failure_text(raised);
  CHECK(failure.cause == "ValueError: lr < 0");
  CHECK(failure.how == "command.exit: `python3 t.py --seed 5` exited with 1");
  REQUIRE(failure.lines.size() == 5);
  CHECK(failure.lines[2] == "  File \"/t.py\", line 4, in <module>");
  CHECK(failure_line(raised, 200) == "ValueError: lr < 0 | command.exit: `python3 t.py --seed 5` exited with 1");
  CHECK_THAT(failure_line(raised, 20), has_text("ValueError: lr < 0"));
}

TEST_CASE("an exception is found before what is printed after it") {
  for (const std::string exception : {"torch.cuda.OutOfMemoryError: CUDA out of memory", "KeyboardInterrupt",
                                      "subprocess.CalledProcessError: Command '['x']' returned 2"})
    CHECK(failure_text("command.exit: `x` exited with 1; last lines:\n  " + exception + "\n  bye").cause == exception);
  // Words that only look like one.
  CHECK(failure_text("command.exit: `x` exited with 1; last lines:\n  Error rate .5\n  bye").cause == "bye");
}

TEST_CASE("without an exception the last line of a program that failed is the reason") {
  CHECK(failure_text("command.exit: `sh x.sh` exited with 2; last lines:\n  x.sh: 3: nosuch: not found").cause ==
        "x.sh: 3: nosuch: not found");
  CHECK(failure_text("worker.died: killed by signal 6 (SIGABRT)\nlast output:\nout of range").cause == "out of range");
}

TEST_CASE("what a program printed without a metric is no reason, and neither is silence") {
  const auto no_metric = failure_text("command.no_metric: no number \"acc\" in the output; last lines:\n  loss=2");
  CHECK(no_metric.cause.empty());
  CHECK(no_metric.lines == std::vector<std::string>{"loss=2"});
  const auto silent = failure_text("command.exit: `false` exited with 1; last lines:\n  (no output)");
  CHECK(silent.cause.empty());
  CHECK(silent.lines.empty());
  CHECK(failure_line("worker.timeout: no sign of life for 2 s", 100) == "worker.timeout: no sign of life for 2 s");
}

TEST_CASE("a notice has the reason in its first line, then how the trial ended, then the output") {
  CHECK(failure_notice("a/0", raised) ==
        "a/0 failed: ValueError: lr < 0\n"
        "    command.exit: `python3 t.py --seed 5` exited with 1\n"
        "    last lines of its output:\n"
        "      epoch 1\n"
        "      Traceback (most recent call last):\n"
        "        File \"/t.py\", line 4, in <module>\n"
        "          raise ValueError(\"lr < 0\")\n"
        "      ValueError: lr < 0");
}

TEST_CASE("control characters of a stored message never reach the terminal") {
  const std::string evil =
      "command.exit: `x` exited with 1; last lines:\n  \x1b]0;owned\x07 bad \xc2\x9b"
      "31m";
  for (const auto& text : {failure_line(evil, 300), failure_notice("a/0", evil)}) {
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x07') == std::string::npos);
    CHECK(text.find("\xc2\x9b") == std::string::npos);
  }
}

}  // namespace retrial::tests::failure_text_tests
