#pragma once

#include "workloads/interface/trial/trial.hpp"
#include "workloads/nn/shape/architecture.hpp"

namespace retrial::nn::inline script {

/// The architecture with the file that its name asks for, "script:SHA-256", read and tried on images of zeros in both
/// modes; others unchanged. Throws TrialFailure: script.not_allowed if the user has allowed no such file,
/// script.digest_mismatch if the file has changed since the plan, and as ScriptModule does; script.no_gradient if
/// `trains` and no parameter would be trained.
[[nodiscard]] Architecture with_script(Architecture architecture, const workloads::Place& place,
                                       const data::Shape& input, int classes, bool trains = true);

}  // namespace retrial::nn::inline script
