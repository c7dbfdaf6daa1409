#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variance/comparisons/status.hpp"
#include "variance/numbers/estimate.hpp"

/// Rules that decide after every pair whether to continue: one row each. Everything about a rule is declared before the
/// first pair. Differences are candidate minus baseline, oriented so that positive is better, in the order of the plan.
/// Never sort them by result: the answer of a rule after pair i depends on pairs 1 to i alone.
namespace retrial::variance::inline sequential {

enum class SequentialState {
  go_on,
  decided_for,      ///< BETTER
  decided_against,  ///< NOT MEANINGFUL, WORSE or EQUIVALENT
  ended             ///< INCONCLUSIVE: all declared pairs are used, or no further pairs can decide
};
[[nodiscard]] std::string_view name_of(SequentialState state);

struct SequentialSettings {
  /// Probability of a false BETTER or WORSE, no matter when the study stops: for each of the two in rules on wins, for
  /// both together in rules on differences.
  double alpha = 0.05;
  double beta = 0.05;  ///< probability of NOT MEANINGFUL for a candidate that wins gamma of the pairs
  std::optional<double> gamma =
      0.75;  ///< smallest share of pairs won that counts as a meaningful advantage; see Levels
  /// Max pairs, declared beforehand; untied pairs for sign rules, except `curtailed`, which counts ties too. Absent: no
  /// end, or, for a rule that needs one, the pairs of the exact fixed design.
  std::optional<std::int64_t> horizon = {};
  std::vector<std::int64_t> looks =
      {};            ///< group-sequential rules only: pairs at each look, ascending; empty: five equal looks
  double tie = 0.0;  ///< differences of at most this size are ties
  double g = 1.0;    ///< anytime t only: variance of the standardized effect
  std::optional<double> low = {}, high = {};  ///< declared range of the differences, for rules on bounded scores
  double t_opt = 30.0;          ///< untied pairs at which the interval of the share of pairs won is tightest
  std::int64_t draws = 10'000;  ///< group_permutation only: drawn permutations, if there are more
  std::uint64_t key = 0;        ///< key of these draws: the key of the comparison
  /// dual_e with a horizon only: win rates around 1/2 for which it says EQUIVALENT.
  std::optional<std::pair<double, double>> band = {};
  bool intervals = true;  ///< false: steps have no interval, which costs most of the time
  /// curtailed only: the fixed rule is not asked while a larger share of the pairs is tied; in [0, 1].
  double tie_limit = 1.0;
  /// curtailed only, where some declared pairs have no difference: declared pairs used up to each difference.
  std::vector<std::int64_t> used = {};
};

/// The answer of a rule after a pair.
struct SequentialStep {
  std::int64_t pairs = 0, wins = 0, ties = 0;  ///< so far
  SequentialState state = SequentialState::go_on;
  Status status = Status::inconclusive;
  std::optional<double> log_e;          ///< natural log of the evidence for BETTER; decides at log(1 / level)
  std::optional<double> log_e_against;  ///< the same for the evidence against
  std::optional<double> statistic;      ///< wins (sign rules), t, or z
  std::optional<double>
      boundary;  ///< BETTER at this value of the statistic or above (group_permutation: strictly above)
  std::optional<double> boundary_against;  ///< decided against at this value or below
  std::string_view note;  ///< "degenerate": the differences did not vary; "drift": no mean fits all of them; or empty
  Estimate interval;      ///< interval of the quantity that the rule tests; holds at all looks together
};

enum class SequentialData {
  wins,         ///< only the sign of a difference counts; infinite for a pair with a diverged run
  differences,  ///< finite numbers
  bounded       ///< finite numbers in the declared range [low, high], which contains 0
};

struct SequentialRule {
  std::string_view name, asks, when;
  SequentialData data = SequentialData::wins;
  bool open = true;   ///< may continue without an end; otherwise the rule needs a horizon
  bool exact = true;  ///< its error rates hold exactly or as a bound, without approximation
  std::string_view estimand;
  std::vector<SequentialStep> (*run)(std::span<const double>, const SequentialSettings&) = nullptr;
};
[[nodiscard]] std::span<const SequentialRule> all_sequential_rules();
/// Null for a name that is not in the table.
[[nodiscard]] const SequentialRule* find_sequential(std::string_view name);

/// One step per pair, up to the first whose state is not go_on: later pairs change nothing. InvalidInput for an unknown
/// rule, settings out of range, differences that the rule cannot use.
[[nodiscard]] std::vector<SequentialStep> watch(std::string_view rule, std::span<const double> differences,
                                                const SequentialSettings& settings = {});

}  // namespace retrial::variance::inline sequential
