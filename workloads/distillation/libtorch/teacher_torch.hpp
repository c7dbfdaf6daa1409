#pragma once

#include <memory>
#include <vector>

#include "workloads/distillation/methods/methods.hpp"
#include "workloads/nn/learner/learner_torch.hpp"

namespace retrial::distillation::inline libtorch {

/// A teacher is trained by the same code as a student, with its own protocol and with the seed of the source `teacher`
/// as the root of its own sources (pair 0). An assistant is a second teacher under derive(seed, "assistant"); with a
/// tutor it learns by kd instead of from the labels alone.
using Teacher = nn::Learner;

/// The teachers of a trial in the order of their training: none, one, or teacher and assistant; each with at most the
/// place's max_steps. With teacher_epochs = 0 they are trained already, by their files.
[[nodiscard]] std::vector<std::unique_ptr<Teacher>> teachers_of(const workloads::Trial& trial,
                                                                const workloads::Place& place,
                                                                const data::ImageSet& set,
                                                                const std::vector<std::uint32_t>& rows,
                                                                const data::Normalisation& normalisation);

}  // namespace retrial::distillation::inline libtorch
