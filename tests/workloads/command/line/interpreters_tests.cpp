#include "workloads/command/line/interpreters.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::interpreters_tests {

using namespace retrial::workloads::command;

TEST_CASE("an interpreter is recognized without its folder and version") {
  CHECK(plain_name("/usr/bin/python3.11") == "python");
  CHECK(plain_name("venv/bin/pypy3") == "pypy");
  CHECK(plain_name("7") == "7");
  CHECK(runs_scripts("python3"));
  CHECK(runs_scripts("/bin/sh"));
  CHECK_FALSE(runs_scripts("./train"));
  CHECK_FALSE(runs_scripts("python3-config"));
}

TEST_CASE("env and what it sets stand before the program") {
  CHECK(place_of_program({"python3", "x.py"}) == 0);
  CHECK(place_of_program({"env", "A=1", "B=2", "python3", "x.py"}) == 3);
  CHECK(place_of_program({"env", "A=1"}) == 0);
  CHECK(place_of_program({}) == 0);
}

}  // namespace retrial::tests::interpreters_tests
