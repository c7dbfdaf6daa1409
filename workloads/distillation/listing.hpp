#pragma once

#include "workloads/contribution.hpp"

namespace retrial::distillation {

/// The topic `methods` of `retrial list`.
[[nodiscard]] workloads::Listing methods_listing();

}  // namespace retrial::distillation
