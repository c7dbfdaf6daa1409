#pragma once

#include <functional>
#include <span>

#include "workloads/pruning/methods/scoring_view.hpp"

namespace retrial::pruning::inline methods {

/// Shares of a neuron's input, R(w, a)_j = w_j a_j / sum_k w_k a_k, with a denominator of at most 2^-23 giving 0. The
/// positive and negative parts of w and of a are processed separately; a weight belongs to only one part of w, so its
/// share is the one within its own sign. The methods of Baykal, Liebenwein and others use the shares differently:
/// `take(j, shares)` gets those of column j at every position, for one part of a that is not 0 everywhere.
using Take = std::function<void(std::int64_t j, std::span<const double> shares)>;
void each_share(std::span<const float> row, const Patches& patches, const Take& take);

}  // namespace retrial::pruning::inline methods
