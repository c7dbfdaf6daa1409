#pragma once

#include "harness/gate/gate.hpp"

/// The scores of both sides of a claim, and the scale on which they are tested.
namespace retrial::harness::inline gate {

/// One value per process; infinity on the worse side is a loss.
struct ClaimSide {
  std::vector<double> values;
  std::vector<std::optional<std::int64_t>> pairs;
  std::vector<std::optional<GatePlace>> places;
  std::int64_t failures = 0, censored = 0;
};

[[nodiscard]] ClaimSide claim_side(const GateClaim& claim, std::size_t which, const GateSettings& settings);

/// One value of the repetitions in a process, which are not empty.
[[nodiscard]] double reduced(const std::vector<double>& values, Statistic statistic, variance::Direction direction);

/// Why the failures or the values of the sides leave nothing to test.
[[nodiscard]] std::optional<std::string> why_untestable(const ClaimSide& a, const ClaimSide& b, bool absolute,
                                                        const GateSettings& settings);

[[nodiscard]] std::vector<double> without_losses(const std::vector<double>& values);
[[nodiscard]] bool has_loss(const std::vector<double>& values);

/// Values on the scale of the test: logarithms of ratios. Losses stay infinite.
[[nodiscard]] std::vector<double> scaled_scores(const std::vector<double>& values, bool absolute);
/// min_effect and margin on the scale of the test.
[[nodiscard]] double on_test_scale(double bound, bool absolute);
/// An effect as a share (ratio) or in the unit (absolute), from the scale of the test.
[[nodiscard]] double shown_effect(double value, bool absolute);

}  // namespace retrial::harness::inline gate
