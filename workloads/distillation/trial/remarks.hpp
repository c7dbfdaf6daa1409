#pragma once

#include <string>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::distillation::inline trial {

/// Notes on these keys for readers of the results, a sentence each.
[[nodiscard]] std::vector<std::string> remarks(const Values& values);

/// A sentence about a teacher more than five points below its expected accuracy: its students say little about the
/// method. Empty without an expectation, and for a teacher that is good enough.
[[nodiscard]] std::string weak_teacher(const std::string& dataset, const std::string& model, double accuracy);

}  // namespace retrial::distillation::inline trial
