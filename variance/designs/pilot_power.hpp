#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "variance/comparisons/comparisons.hpp"

/// Power by simulation from a pilot, for every test of the table: studies whose runs are drawn, with replacement, from
/// the runs of a small study. No distribution is assumed; but the pilot's effect and spread are taken as true, and both
/// are uncertain.
namespace retrial::variance::inline designs {

/// The runs of a pilot, in the unit of the metric. For a paired test place i of both is one pair.
struct Pilot {
  std::vector<double> candidate, baseline;
};

struct PilotPlan {
  std::string test;            ///< a name of all_comparisons()
  TestSettings settings = {};  ///< its key is not used: each study has its own
  Status claim = Status::better;
  std::int64_t studies = 2'000;
  std::uint64_t key = 0;    ///< study s draws from Stream(key, s): longer studies begin with the runs of shorter ones
  std::size_t threads = 1;  ///< the result does not depend on it
};

/// Mean difference of the pilot, candidate - baseline, with the interval of the paired or of Welch's t. InvalidInput
/// for fewer than two runs of a variant, and unequal numbers of them in a paired test.
[[nodiscard]] Estimate pilot_effect(const Pilot& pilot, const PilotPlan& plan);
/// EQUIVALENT for a test that asks about a margin only, else BETTER or WORSE, as the pilot's effect points.
[[nodiscard]] Status pilot_claim(const Estimate& effect, const PilotPlan& plan);
/// Whether the scores can be shifted: not those that are right or wrong.
[[nodiscard]] bool shiftable(const PilotPlan& plan);

/// Share of the simulated studies of `runs` pairs, or runs of each variant, that make the claim, if `shift` is added to
/// every score of the candidate. The interval (Clopper-Pearson) is of the simulation alone. InvalidInput{test} for an
/// unknown test and for one whose scores have an order, {runs} below its min, {studies} unless it is 1 to 1,000,000,
/// {shift} if the scores cannot be shifted.
[[nodiscard]] Estimate simulated_power(const Pilot& pilot, std::int64_t runs, double shift, const PilotPlan& plan);

}  // namespace retrial::variance::inline designs
