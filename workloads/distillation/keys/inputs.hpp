#pragma once

#include <string>

#include "workloads/data/inputs/keys.hpp"
#include "workloads/distillation/methods/methods.hpp"
#include "workloads/nn/shape/architecture.hpp"

namespace retrial::distillation::inline keys {

/// The model of the key `student`, `teacher` or `assistant` under the key `ablation`. Throws InvalidInput naming the
/// key.
[[nodiscard]] nn::Architecture architecture_of(const Values& values, const std::string& key);
/// The operator of the key `augment` or `teacher_augment` under rotate_sign; null for none. Method uda has its own
/// operator instead of `augment`.
[[nodiscard]] const data::Operator* augmentation_of(const Values& values, const std::string& key);

/// Whether the key `student`, `teacher` or `assistant` names a network from a file.
[[nodiscard]] bool is_script(const Values& values, const std::string& key);
/// Whether the teachers of the trial are trained: with teacher_epochs = 0 they are used as their files have them.
[[nodiscard]] bool trains_teacher(const Values& values);

/// Whether teachers train on the rows of the student alone (teacher_rows = student) instead of the whole training
/// split.
[[nodiscard]] bool teacher_shares_rows(const Values& values);

}  // namespace retrial::distillation::inline keys
