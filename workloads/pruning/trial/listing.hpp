#pragma once

#include "workloads/interface/contribution.hpp"

namespace retrial::pruning::inline trial {

/// The topic `layers` of `retrial list`.
[[nodiscard]] workloads::Listing layers_listing();

}  // namespace retrial::pruning::inline trial
