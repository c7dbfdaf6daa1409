#pragma once

#include "workloads/contribution.hpp"

namespace retrial::prune {

/// The topic `layers` of `retrial list`.
[[nodiscard]] workloads::Listing layers_listing();

}  // namespace retrial::prune
