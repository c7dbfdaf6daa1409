#include "harness/program/program.hpp"

int main(int argc, char** argv) {
  return retrial::harness::run_program({argv + 1, argv + argc});
}
