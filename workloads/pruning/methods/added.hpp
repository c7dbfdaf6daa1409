#pragma once

#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline methods {

/// Methods of a program that links files of its own with this workload, behind ours: names that no other method has.
/// Ours is weak and has none; a file outside the tree defines it once more (docs/workloads/extending.md). It is called
/// before `main`, so it may use no object of its file.
[[nodiscard]] std::vector<Method> added_methods();

}  // namespace retrial::pruning::inline methods
