#pragma once

#include <string>

#include "harness/check/liveness.hpp"

namespace retrial::harness::inline check {

/// What was changed, what was found, and what was left out with the reason.
[[nodiscard]] std::string liveness_page(const Study& study, const CheckSettings& settings,
                                        const LivenessReport& report);
/// Document retrial.liveness/1.
[[nodiscard]] Json liveness_document(const Study& study, const CheckSettings& settings, const LivenessReport& report);

}  // namespace retrial::harness::inline check
