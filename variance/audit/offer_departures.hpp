#pragma once

#include "variance/audit/offers.hpp"

namespace retrial::variance::inline audit {

/// What is known of a cell outside the assumptions of its rule; absent: the rule promises its level there.
[[nodiscard]] std::optional<Departure> known_departure(const OfferCell& cell);

}  // namespace retrial::variance::inline audit
