#pragma once

#include "variance/offers/offers.hpp"

namespace retrial::variance::inline offers {

/// The known departure of a cell outside the assumptions of its rule; absent: the rule promises its level there.
[[nodiscard]] std::optional<Departure> known_departure(const OfferCell& cell);

}  // namespace retrial::variance::inline offers
