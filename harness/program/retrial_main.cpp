#include "harness/program/program.hpp"
#include "harness/system/children.hpp"

int main(int argc, char** argv) {
  retrial::harness::adopt_orphans();  // what a killed worker leaves behind
  return retrial::harness::run_program({argv + 1, argv + argc});
}
