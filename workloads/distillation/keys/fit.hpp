#pragma once

#include <vector>

#include "workloads/distillation/keys/methods.hpp"
#include "workloads/interface/declaration.hpp"
#include "workloads/nn/shape/outline.hpp"

namespace retrial::distillation::inline keys {

/// Why a method cannot compare two networks; empty when it can. A complaint about the student or the teacher, as
/// "student mlp:32 has no spatial features".
struct Network {
  std::string role, name;
  nn::Outline outline;
};
[[nodiscard]] std::string misfit(const Method& method, const Values& values, const Network& student,
                                 const Network& teacher);

/// The problems of the keys that only methods read: names of modes, weights, models that do not fit the method, and
/// batches of too few rows. Models that nobody knows are passed over: they have been named already.
[[nodiscard]] std::vector<workloads::Problem> method_problems(const Values& values);

}  // namespace retrial::distillation::inline keys
