#pragma once

#include <string>

#include "harness/stored/trial_details.hpp"

namespace retrial::harness::inline show {

/// The page of `retrial show STORE TRIAL`.
[[nodiscard]] std::string trial_page(const TrialDetails& details, const std::string& store);
/// Parts that --metrics and --digests show alone.
[[nodiscard]] std::string metrics_page(const TrialDetails& details);
[[nodiscard]] std::string digests_page(const TrialDetails& details);

}  // namespace retrial::harness::inline show
