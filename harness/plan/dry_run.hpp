#pragma once

#include <string>

#include "harness/plan/trial_body.hpp"

namespace retrial::harness::inline plan {

/// The argv that a trial of a program outside retrial would start, as a line for a shell; empty for other workloads.
[[nodiscard]] std::string dry_argv(const TrialBody& body);

}  // namespace retrial::harness::inline plan
