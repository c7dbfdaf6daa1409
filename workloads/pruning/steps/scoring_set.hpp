#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/pruning/network/network.hpp"

namespace retrial::pruning::inline steps {

/// Output neurons, all positions, of the largest layer and of all layers.
struct Neurons {
  std::int64_t max = 0, total = 0;
};
[[nodiscard]] Neurons neurons_of(const Network& network);

/// Samples that bound the scores of every neuron with probability 1 - delta: C ln(8 max total / delta), C = 3,
/// delta = 1e-16 (Liebenwein et al. 2020).
[[nodiscard]] double sample_bound(const Neurons& neurons);

/// min(ceil(bound), half of `rows`, rounded down); 0 if there are fewer than two rows.
[[nodiscard]] std::int64_t sample_size(const Neurons& neurons, std::int64_t rows);

/// The first `count` of permutation(derive(seed, "scoring-set"), rows), as places in that part.
[[nodiscard]] std::vector<std::uint32_t> scoring_set(std::uint64_t seed, std::int64_t rows, std::int64_t count);

}  // namespace retrial::pruning::inline steps
