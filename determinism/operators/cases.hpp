#pragma once

#include <vector>

#include "determinism/operators/call.hpp"

namespace retrial::determinism::inline operators {

/// A call of an audit. `odd`: not recorded, one of odd_shapes, which its operator may refuse.
struct Case {
  Call call;
  bool odd = false;
};

/// From the recorded calls of each operator: a few of each kind as recorded, from the smallest to the largest, and
/// the odd shapes of the commonest kind for each type of elements. An emulator is a hundred times slower than the CPU,
/// so calls with more than a quarter of a million elements are left out where an operator has smaller ones.
[[nodiscard]] std::vector<Case> cases_of(const std::vector<Call>& recorded);

}  // namespace retrial::determinism::inline operators
