#pragma once

#include <memory>

#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/pruning/allocation/principal.hpp"
#include "workloads/pruning/network/low_rank.hpp"

namespace retrial::pruning::inline tensors {

/// The singular values of this number of groups of consecutive columns of a weight, descending, group after group.
/// Computed in double on one thread: dividing the work between threads would change the last bits.
[[nodiscard]] std::vector<double> singular_values(const at::Tensor& weight, std::int64_t groups);

/// Eigenvalues and eigenvectors of the scatter of outputs about `mean`: (outputs, outputs), row-major, a sum over
/// `count` of them.
[[nodiscard]] Principal principal_of(const std::vector<double>& scatter, std::vector<double> mean, std::int64_t count);

/// The network with layers replaced by factors of these ranks: LAYER.basis, whose rows are the first right singular
/// vectors and orthonormal (of each group), and LAYER.weight, the left ones times the singular values. With
/// `principal`, one per layer, U U^T W is decomposed instead, with the first columns U of the components, and the part
/// of the mean that they miss goes into the bias. `model` has every weight as one matrix.
[[nodiscard]] std::unique_ptr<nn::Model> factorised(const nn::Model& model, const nn::Architecture& architecture,
                                                    const Network& network, const std::vector<Rank>& ranks,
                                                    const std::vector<Principal>& principal);

/// The network with every product multiplied out, in double and rounded once; for a network without factors a copy.
[[nodiscard]] std::unique_ptr<nn::Model> whole(const nn::Model& model, const nn::Architecture& architecture,
                                               const Network& network);

}  // namespace retrial::pruning::inline tensors
