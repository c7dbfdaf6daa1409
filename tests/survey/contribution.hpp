#pragma once

#include "workloads/interface/contribution.hpp"

namespace retrial::survey {

/// A table and an audit of the finished trials, so that a test can see what a folder adds to the programs by itself.
[[nodiscard]] workloads::Contribution contribution();

}  // namespace retrial::survey
