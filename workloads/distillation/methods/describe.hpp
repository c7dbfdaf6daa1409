#pragma once

#include <string>

#include "workloads/distillation/methods/methods.hpp"

namespace retrial::distillation::inline methods {

/// The objective of a method under its default keys: "ce + 25 rkd_distance + 50 rkd_angle", "10 epochs of 0.003 ab,
/// then w_ce ce + w_soft soft".
[[nodiscard]] std::string objective_text(const Method& method);

/// Requirements on networks and batches: "maps, equal channels", "batches of 2", or "-".
[[nodiscard]] std::string needs_text(const Method& method);

}  // namespace retrial::distillation::inline methods
