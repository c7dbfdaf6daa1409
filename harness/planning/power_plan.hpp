#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "results/report/report.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/wins/decide.hpp"

/// `retrial power`: the runs that a comparison needs, and what a given number of them finds. A page speaks of one rule:
/// its number of runs, its curve and what --n finds are all of the rule that it names.
namespace retrial::harness::inline planning {

/// One rule for one question. Probabilities of its claim by number of pairs, or of runs of each variant.
struct PowerPlan {
  std::string title, rule;    ///< "Pairs that ...", the rule in words
  std::string unit = "pair";  ///< or "run per variant"
  std::optional<std::int64_t>
      runs;                         ///< that give power 1 - beta; absent: no effect was given, or a million are too few
  std::vector<report::Fact> facts;  ///< about those runs
  std::vector<std::int64_t> at;     ///< runs of the curve; empty: no effect was given
  std::function<double(std::int64_t)> power;
  std::optional<std::int64_t> given;  ///< --n
  std::vector<report::Fact> found;    ///< about those
  std::vector<std::string> notes;
  Json data;  ///< without the curve
};
[[nodiscard]] report::Part power_part(const PowerPlan& plan);

/// The levels of --alpha, --beta and --sides.
struct PlanLevels {
  double alpha = 0.05, beta = 0.05;
  std::optional<double> gamma;  ///< absent: not given
  bool two_sided = false;
  /// alpha per directional claim.
  [[nodiscard]] variance::Levels claim() const { return {two_sided ? alpha / 2.0 : alpha, beta, gamma}; }
};

/// --design exact, sign_pairs and wmw_per_group: shares of pairs won.
[[nodiscard]] PowerPlan win_plan(const std::string& design, const PlanLevels& levels, std::optional<std::int64_t> n);
/// The other designs: variance::all_planned_tests(). Error{usage} without a size and without --n, and for options that
/// the test does not read.
[[nodiscard]] PowerPlan test_plan(const Arguments& arguments, const std::string& design, const PlanLevels& levels);

/// `retrial power --pilot STORE` and `--scores FILE`: power of any test by simulation from a pilot.
[[nodiscard]] report::Part pilot_part(const Arguments& arguments);

}  // namespace retrial::harness::inline planning
