#pragma once

#include <string>
#include <vector>

#include "harness/profile/stored_profile.hpp"
#include "variance/numbers/estimate.hpp"

namespace retrial::harness::inline profile {

/// The part of an operation in one set of layers and devices; with `active` empty, the whole operation.
struct Share {
  std::string operation, active;
  double raw_ns = 0, ns = 0;  ///< means over the measured pairs, before and after the correction
  variance::Estimate share;   ///< percent of the corrected time; t interval over the pairs, none for one
};

struct Shares {
  std::vector<Share> operations, cells;  ///< the longest first
  double raw_ns = 0, ns = 0;             ///< of the whole run; means over the pairs
  double charged_ns = 0, discarded_ns = 0, moved_ns = 0, unplaced_ns = 0;
};

/// The profile of a variant without the cost of profiling: from the cells of each operation its own events times their
/// cost. The cost of an operator that another calls falls into the layer, that of all other events into App.
[[nodiscard]] Shares shares_of(const ProfiledVariant& variant);

}  // namespace retrial::harness::inline profile
