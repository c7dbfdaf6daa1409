#pragma once

#include <optional>
#include <vector>

#include "workloads/pruning/allocation/allocation.hpp"
#include "workloads/pruning/allocation/principal.hpp"
#include "workloads/pruning/network/low_rank.hpp"

namespace retrial::pruning::inline methods {

struct Sight;

/// The error of one layer at each rank, for every way to divide it.
struct LayerSpectra {
  std::vector<Spectrum> ways;
  std::optional<Principal> principal = {};  ///< the basis, if it is not that of the weight itself
};
using Spectra = std::vector<LayerSpectra>;

/// The ranks with the smallest maximum of the layers' relative errors whose parameters fit round(keep * weights). A
/// layer never grows: factors have no more parameters than it has now.
[[nodiscard]] Allocation keep_ranks(const Sight& sight, Spectra spectra, double keep,
                                    const std::vector<bool>& may_prune);

}  // namespace retrial::pruning::inline methods
