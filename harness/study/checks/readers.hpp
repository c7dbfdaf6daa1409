#pragma once

#include <span>
#include <string>

#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline study::inline checks {

/// Who would read a key that none of these values reads, as advice that ends in "; ": "read by sipp, snip; " names the
/// presets, "read with method = at, cc; " other values of single keys where no preset reads it. Empty where neither
/// is known.
[[nodiscard]] std::string readers_text(const workloads::Declaration& declaration, std::span<const Values> given,
                                       const std::string& key);

}  // namespace retrial::harness::inline study::inline checks
