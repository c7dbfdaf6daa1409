#pragma once

#include <vector>

#include "workloads/distillation/methods/methods.hpp"
#include "workloads/interface/declaration.hpp"
#include "workloads/nn/shape/outline.hpp"

namespace retrial::distillation::inline keys {

/// The reason why a method cannot compare two networks, such as "student mlp:32 has no spatial features"; empty if it
/// can.
struct Network {
  std::string role, name;
  nn::Outline outline;
  bool script = false;  ///< shows logits alone
};
[[nodiscard]] std::string misfit(const Method& method, const Values& values, const Network& student,
                                 const Network& teacher);

/// Problems of the keys that only methods read: names of modes, weights, models that do not fit the method, and batches
/// with too few rows. Unknown models are skipped: they have been reported already.
[[nodiscard]] std::vector<workloads::Problem> method_problems(const Values& values);

}  // namespace retrial::distillation::inline keys
