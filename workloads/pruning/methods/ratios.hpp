#pragma once

#include <functional>
#include <span>

#include "workloads/pruning/methods/scoring_view.hpp"

namespace retrial::pruning::inline methods {

/// Shares of a neuron's input, R(w, a)_j = w_j a_j / sum_k w_k a_k, with a denominator of at most 2^-23 giving 0. The
/// positive and the negative part of w and of a are pushed through apart; a weight lies in one part of w only, so its
/// share is the one within its own sign. What a method of Baykal, Liebenwein and others does with the shares is its own
/// affair: `take(j, shares)` gets those of column j at every position, for one part of a that is not 0 everywhere.
using Take = std::function<void(std::int64_t j, std::span<const double> shares)>;
void each_share(std::span<const float> row, const Patches& patches, const Take& take);

}  // namespace retrial::pruning::inline methods
