#pragma once

#include <span>
#include <vector>

#include "results/record/identity.hpp"
#include "results/store/store.hpp"

namespace retrial::results::inline store {

/// The canonical attempt of every (identity, replicate), sorted: the rows of the outcome digest. `trials` in the order
/// of Store::trials().
[[nodiscard]] std::vector<Outcome> outcomes_of(std::span<const TrialRow> trials);

}  // namespace retrial::results::inline store
