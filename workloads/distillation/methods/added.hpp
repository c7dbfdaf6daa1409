#pragma once

#include "workloads/distillation/methods/methods.hpp"

namespace retrial::distillation::inline methods {

/// Methods of a program that links files of its own with this workload, behind those of the catalogue: names that no
/// other method has, with losses that are registered (RegisterLoss). Ours is weak and has none; a file outside the tree
/// defines it once more (docs/workloads/extending.md). It is called before `main`, so it may use no object of its file.
[[nodiscard]] std::vector<Method> added_methods();

}  // namespace retrial::distillation::inline methods
