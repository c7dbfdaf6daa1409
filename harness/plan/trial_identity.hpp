#pragma once

#include "harness/plan/trial_body.hpp"
#include "results/digest/sha256.hpp"

namespace retrial::harness::inline plan {

/// The identity recomputed from the body of a planned trial, before a search has given it keys. A body out of a store
/// is what was planned only if this is the identity that stands beside it.
[[nodiscard]] results::Digest identity_of(const TrialBody& body);

}  // namespace retrial::harness::inline plan
