#pragma once

#include <string>

#include "harness/plan/trial_body.hpp"

namespace retrial::harness::inline plan {

/// The command line that a trial of an external program would start, quoted for a shell; empty for other workloads.
[[nodiscard]] std::string dry_argv(const TrialBody& body);

}  // namespace retrial::harness::inline plan
