#pragma once

#include <cstdint>

#include "results/digest/sha256.hpp"

namespace retrial::harness::inline system {

/// The only place that reads random bytes from the operating system. A drawn root seed is printed and stored before
/// anything runs. The 16 bytes identify a launch or salt a host name; no trial and no statistic depends on them.
[[nodiscard]] std::uint64_t draw_root_seed();
[[nodiscard]] results::Id16 draw_name();

}  // namespace retrial::harness::inline system
