#pragma once

#include "workloads/interface/contribution.hpp"

namespace retrial::distillation::inline trial {

/// The topic `methods` of `retrial list`.
[[nodiscard]] workloads::Listing methods_listing();

}  // namespace retrial::distillation::inline trial
