#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::distillation::inline trial {

/// What whoever reads the results should know of these keys, a sentence each.
[[nodiscard]] std::vector<std::string> remarks(const Values& values);

/// What a network reaches by itself according to a source.
struct Expectation {
  double accuracy = 0;  ///< percent
  std::string source;
};
/// Of a teacher on a data set (by the name of what was read); where sources differ the least; nothing where none says.
[[nodiscard]] std::optional<Expectation> expected_accuracy(const std::string& dataset, const std::string& model);

/// A sentence about a teacher more than five points below what is expected of it: its students say little about the
/// method. Empty where nothing is expected, and for a teacher that is good enough.
[[nodiscard]] std::string weak_teacher(const std::string& dataset, const std::string& model, double accuracy);

}  // namespace retrial::distillation::inline trial
