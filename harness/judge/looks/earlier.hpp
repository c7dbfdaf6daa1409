#pragma once

#include <vector>

#include "harness/judge/looks/look.hpp"

namespace retrial::harness::inline judge::inline looks {

/// Every look that a store knows of, in order: the recorded ones and before them, in the order of their studies, those
/// of programs that did not record looks: stored verdicts, and sequential designs, whose runs show every pair.
[[nodiscard]] std::vector<Look> known_looks(const results::Store& store);

/// Digest of the rule in a design document. Names make no other rule. A family that may be extended at any time is the
/// same rule with any number of pairs.
[[nodiscard]] results::Digest digest_of_rule(const Json& design);

}  // namespace retrial::harness::inline judge::inline looks
