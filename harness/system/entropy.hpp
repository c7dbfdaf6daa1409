#pragma once

#include <cstdint>

#include "results/digest/sha256.hpp"

namespace retrial::harness::inline system {

/// The one place that asks the operating system for random bits. A drawn root seed is printed and stored before
/// anything runs; the 16 bytes name a launch or salt a host name and enter no draw of a trial and no statistic.
[[nodiscard]] std::uint64_t draw_root_seed();
[[nodiscard]] results::Id16 draw_name();

}  // namespace retrial::harness::inline system
