#pragma once

#include <string>

#include "harness/trial_body.hpp"

namespace retrial::harness {

/// The argv that a trial of a program outside retrial would start, as a line for a shell; empty for other workloads.
[[nodiscard]] std::string dry_argv(const TrialBody& body);

}  // namespace retrial::harness
