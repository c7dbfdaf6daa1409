#include "workloads/command/reading/plain_text.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::plain_text_tests {

using namespace retrial::workloads::command;

// The sequences of ECMA-48 that rich, tqdm, Keras, ls --color and xterm titles use.
TEST_CASE("escape sequences leave the text around them") {
  CHECK(without_escapes("acc=\x1b[32m0.91\x1b[0m!") == "acc=0.91!");
  CHECK(without_escapes("\x1b[1;38;5;208macc\x1b[m=\x1b[4:3m1") == "acc=1");
  CHECK(without_escapes("a\x1b[2K\x1b[1A\rb\x1b[?25l") == "a\rb");
  CHECK(without_escapes("\x1b]0;a title\x07"
                        "acc=1") == "acc=1");
  CHECK(without_escapes("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ 5") == "link 5");
  CHECK(without_escapes("\x1b(Bacc\x1b=1\x1b") == "acc1");
  CHECK(without_escapes("no escapes\n\xc3\xa9\n") == "no escapes\n\xc3\xa9\n");
}

TEST_CASE("a broken sequence takes no line with it") {
  CHECK(without_escapes("a\x1b[32\nacc=1\n") == "a\nacc=1\n");
  CHECK(without_escapes("a\x1b]0;never closed\nacc=1\n") == "a0;never closed\nacc=1\n");
  CHECK(without_escapes("\x1b[") == "");
}

TEST_CASE("a line that was written anew stands as it was at its end") {
  CHECK(settled("1%\r50%\r100%\nend\n") == "100%\nend\n");
  CHECK(settled("windows\r\nlines\r\n") == "windows\nlines\n");
  CHECK(settled("no end\rlast") == "last");
  CHECK(settled("\n\n") == "\n\n");
}

}  // namespace retrial::tests::plain_text_tests
