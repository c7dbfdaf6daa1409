#pragma once

#include <vector>

#include "harness/judge/looks/look.hpp"
#include "variance/designs/design.hpp"

namespace retrial::harness::inline judge::inline looks {

/// Every look that a store knows of, in order: the recorded ones and before them, in the order of their studies, those
/// of programs that did not record looks: stored verdicts, and sequential designs, whose runs show every pair.
[[nodiscard]] std::vector<Look> known_looks(const results::Store& store);

/// Digest of the rule in a design document, without names and pairs.
[[nodiscard]] results::Digest digest_of_rule(const Json& design);
/// The declared number of pairs, or 0 for a family that may be extended at any time: any number is the same rule.
[[nodiscard]] std::int64_t pairs_of_rule(const variance::Design& design);

}  // namespace retrial::harness::inline judge::inline looks
