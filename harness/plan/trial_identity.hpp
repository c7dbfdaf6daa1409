#pragma once

#include <span>
#include <vector>

#include "harness/plan/trial_body.hpp"
#include "results/digest/sha256.hpp"

namespace retrial::harness::inline plan {

/// The identity recomputed from the body of a planned trial, before a search has given it keys. A body out of a store
/// is what was planned only if this is the identity stored with it.
[[nodiscard]] results::Digest identity_of(const TrialBody& body);

/// identity_of and result_identity_of of a trial without a search, whose documents differ in the build alone.
struct BothIdentities {
  results::Digest identity{}, result{};
};
[[nodiscard]] BothIdentities both_identities_of(const TrialBody& body);

/// The identities of the trials of the search that chooses the keys of this trial, in its order; without one, nothing.
[[nodiscard]] std::vector<results::Digest> searched_by(const TrialBody& body);

/// The identity without the build of this program: what the trials of two builds have in common. The trials of a search
/// are in its document, so they must be given too, without the build, in the order of searched_by(). The program of a
/// user stays, because it is what was asked about: another script is another trial, whatever it prints.
[[nodiscard]] results::Digest result_identity_of(const TrialBody& body, std::span<const results::Digest> search);

}  // namespace retrial::harness::inline plan
