// Silent and 0 when every known answer of the generator holds under the flags of this build; otherwise the first
// wrong one. Compiled without Catch, so that any compiler and any flags can be tried (compilers.cmake).

#include <iostream>

#include "tests/variance/reproduce/known_answers.hpp"

int main() {
  for (const auto& answer : known::all_answers()) {
    if (answer.got == answer.expected) continue;
    std::cerr << answer.name << ": expected " << answer.expected << ", got " << answer.got << '\n';
    return 1;
  }
  return 0;
}
