#pragma once

#include <vector>

#include "workloads/interface/declaration.hpp"

namespace retrial::distillation::inline keys {

/// Batches with too few rows: for a method that compares samples, and for a batch norm of the student, the teacher or
/// the assistant, which would see a single value. Unknown models are skipped: they have been reported already.
[[nodiscard]] std::vector<workloads::Problem> batch_problems(const Values& values);

}  // namespace retrial::distillation::inline keys
