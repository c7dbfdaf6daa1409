#pragma once

#include <vector>

#include "workloads/interface/declaration.hpp"

namespace retrial::distillation::inline keys {

/// Batches of too few rows: where a method compares samples, and where a batch norm of the student, the teacher or the
/// assistant sees a single value. Models that nobody knows are passed over: they have been named already.
[[nodiscard]] std::vector<workloads::Problem> batch_problems(const Values& values);

}  // namespace retrial::distillation::inline keys
