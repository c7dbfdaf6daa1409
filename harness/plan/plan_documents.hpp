#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/plan/plan.hpp"

namespace retrial::harness::inline plan {

/// What a store keeps beside a plan, for put_study(): the declared design, the searches, and the keys of each variant.
[[nodiscard]] std::vector<std::pair<std::string, Json>> documents_of(const Study& study, const Plan& plan);

}  // namespace retrial::harness::inline plan
