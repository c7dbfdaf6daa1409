#pragma once

#include <string>

#include "harness/stored/trial_details.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline show {

/// `retrial show STORE TRIAL`. The data: schema retrial.show_trial/1.
[[nodiscard]] report::Part trial_part(const TrialDetails& details, const std::string& store);
/// Every raw value and every digest, as --metrics and --digests show them.
[[nodiscard]] report::Table values_table(const TrialDetails& details);
[[nodiscard]] report::Table digests_table(const std::vector<results::DigestValue>& digests);

}  // namespace retrial::harness::inline show
