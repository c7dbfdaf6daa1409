#pragma once

#include "harness/gate/claim_sides.hpp"
#include "harness/gate/claim_test.hpp"

/// How far apart the sides of a claim are, and with which p: by ranks, by pairs, or by counts that repeat.
namespace retrial::harness::inline gate {

/// Ranks of the processes, within the places where they were measured.
void rank_claim(ClaimTest& out, const ClaimSide& a, const ClaimSide& b, const GateSettings& settings);

/// Differences of pairs; false: there are none, or a loss is among them.
bool paired_claim(ClaimTest& out, const GateClaim& claim, const ClaimSide& a, const ClaimSide& b,
                  const GateSettings& settings);

/// Counts that repeat need no p: the change is what they say it is. Ratios of such counts lie within a fifth of the
/// least effect, so that a change beyond it has the same sign in every pair. False: they do not repeat.
bool counts_claim(ClaimTest& out, const ClaimSide& a, const ClaimSide& b, const GateSettings& settings);

/// The candidate's shift on the scale of the test.
struct ClaimShift {
  variance::Estimate at95, at90;
};

void take_shift(ClaimTest& out, const ClaimShift& shift);

/// 1.4826 MAD, or the standard deviation where more than half of the values are equal.
[[nodiscard]] double robust_spread(const std::vector<double>& values);

}  // namespace retrial::harness::inline gate
