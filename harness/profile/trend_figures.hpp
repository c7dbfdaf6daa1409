#pragma once

#include <optional>
#include <vector>

#include "harness/profile/stored_profile.hpp"
#include "results/report/report.hpp"
#include "results/text/value.hpp"

namespace retrial::harness::inline profile {

/// The time of each variant with nothing recorded against its changes of layer: where many of them make a training
/// slow, the points rise.
[[nodiscard]] report::Figure transitions_figure(const std::vector<ProfiledVariant>& variants);

/// The share of one operation against a key that the study sweeps: one that takes three values and more among variants
/// which are equal in all others. Of several keys the one with the most such variants, and the operation whose share
/// moves most. `keys`: those of each variant, in the same order. Absent where no key is swept.
[[nodiscard]] std::optional<report::Figure> swept_figure(const std::vector<ProfiledVariant>& variants,
                                                         const std::vector<Values>& keys);

}  // namespace retrial::harness::inline profile
